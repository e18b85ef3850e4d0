package io.lastcall.faults.subject;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** What broken code does, wherever it stands. */
enum Act {
  HANG {
    @Override
    void run() {
      hang();
    }
  },
  LOOP {
    @Override
    void run() {
      loop();
    }
  },
  THROW {
    @Override
    void run() {
      throw new IllegalStateException("broken");
    }
  },
  OVERFLOW {
    @Override
    void run() {
      recurse(0);
    }
  },
  THROW_OOM {
    @Override
    void run() {
      throw new OutOfMemoryError("thrown, the heap is not full");
    }
  },
  THROW_LONG {
    @Override
    void run() {
      throw new IllegalStateException("m".repeat(1_000_000));
    }
  },
  EXIT {
    @Override
    void run() {
      System.exit(EXIT_CODE);
    }
  },
  HALT {
    @Override
    void run() {
      Runtime.getRuntime().halt(HALT_CODE);
    }
  },
  SLOW {
    @Override
    void run() {
      pause(Duration.ofSeconds(Integer.getInteger("faults.slow-seconds", 2)));
    }
  },
  INTERRUPT_ALL {
    @Override
    void run() {
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> !thread.getName().startsWith("faults"))
          .forEach(Thread::interrupt);
    }
  },
  LEAVE_THREAD {
    @Override
    void run() {
      new Thread(Act::hang, "left behind").start();
    }
  },
  DEADLOCK {
    @Override
    void run() {
      deadlock();
    }
  },
  SPIN {
    @Override
    void run() {
      for (int thread = 0; thread < Integer.getInteger("faults.spinning", 4); thread++) {
        daemon(Act::loop, "spinning " + thread);
      }
    }
  },
  FILL_HEAP {
    @Override
    void run() {
      fillHeap();
    }
  },
  FILL_METASPACE {
    @Override
    void run() {
      fillMetaspace();
    }
  },
  TAKE_THREADS {
    @Override
    void run() {
      takeThreads();
    }
  },
  TAKE_FILES {
    @Override
    void run() {
      takeFiles();
    }
  };

  /** What {@link #EXIT} exits with. */
  static final int EXIT_CODE = 7;

  /** What {@link #HALT} halts with. */
  static final int HALT_CODE = 9;

  private static final List<Object> TAKEN = new ArrayList<>();
  private static final CountDownLatch TWO_HERE = new CountDownLatch(2);
  private static final Object FIRST = new Object();
  private static final Object SECOND = new Object();

  abstract void run();

  static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Whatever interrupts it. */
  @SuppressWarnings("InfiniteLoop")
  private static void hang() {
    while (true) {
      LockSupport.park();
      Thread.interrupted();
    }
  }

  @SuppressWarnings("InfiniteLoop")
  private static void loop() {
    long spins = 0;
    while (true) {
      spins++;
      if (spins < 0) {
        spins = 0;
      }
    }
  }

  private static int recurse(int depth) {
    return depth < 0 ? depth : recurse(depth + 1) + 1;
  }

  static void pause(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
      Thread.interrupted();
    }
  }

  /** The second of two that come here never gets out, nor does the first. */
  private static void deadlock() {
    boolean first = TWO_HERE.getCount() == 2;
    synchronized (first ? FIRST : SECOND) {
      TWO_HERE.countDown();
      try {
        TWO_HERE.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      synchronized (first ? SECOND : FIRST) {
        hang();
      }
    }
  }

  @SuppressWarnings("InfiniteLoop")
  private static void fillHeap() {
    int size = 1 << 20;
    while (true) {
      try {
        TAKEN.add(new byte[size]);
      } catch (OutOfMemoryError e) {
        size = Math.max(16, size / 2);
      }
    }
  }

  /** A class loader of its own for each proxy, so that each is a class of its own. */
  private static void fillMetaspace() {
    try {
      while (true) {
        ClassLoader loader = new URLClassLoader(new URL[0], Act.class.getClassLoader());
        TAKEN.add(
            Proxy.newProxyInstance(
                loader, new Class<?>[] {Runnable.class}, (proxy, method, arguments) -> null));
      }
    } catch (OutOfMemoryError full) {
      TAKEN.add(full);
    }
  }

  private static void takeThreads() {
    try {
      while (true) {
        TAKEN.add(daemon(Act::hang, "taken"));
      }
    } catch (OutOfMemoryError none) {
      TAKEN.add(none);
    }
  }

  private static void takeFiles() {
    try {
      while (true) {
        InputStream file = new FileInputStream("/dev/null");
        TAKEN.add(file);
      }
    } catch (FileNotFoundException none) {
      TAKEN.add(none);
    }
  }
}
