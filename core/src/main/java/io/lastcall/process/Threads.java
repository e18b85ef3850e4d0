package io.lastcall.process;

import io.lastcall.time.Deadline;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The only place where the library makes threads. All are named {@code lastcall-...}. */
public final class Threads {
  /** Frames shown of a stack: enough to see what a thread waits for, few enough for a log. */
  private static final int FRAMES = 12;

  private Threads() {}

  /** Returns a daemon: it keeps no JVM alive. Not started. */
  public static Thread daemon(String name, Runnable body) {
    return thread(name, body, true);
  }

  /** Returns a thread that keeps the JVM alive while it runs. Not started. */
  public static Thread user(String name, Runnable body) {
    return thread(name, body, false);
  }

  private static Thread thread(String name, Runnable body, boolean daemon) {
    Thread thread = new Thread(null, body, "lastcall-" + name, 0, false);
    thread.setDaemon(daemon);
    // From JDK 19 on, what does not inherit thread-locals does not inherit this one either.
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    return thread;
  }

  /** Returns the threads that are alive, without stopping them to look at their stacks. */
  public static Set<Thread> alive() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] threads = new Thread[root.activeCount() * 2 + 16];
    int count = root.enumerate(threads);
    return Set.of(Arrays.copyOf(threads, count));
  }

  /**
   * Starts a thread if the process can have another.
   *
   * @return false if it cannot: at the limit of threads, {@link Thread#start} throws
   */
  public static boolean start(Thread thread) {
    try {
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /**
   * Waits for a thread's end, or for the deadline: one that has passed waits for nothing. An
   * interrupt does not end the wait; it is restored after it. Nobody unparks whoever waits for a
   * thread, so what remains is waited for in the JVM's own time.
   */
  public static void join(Thread thread, Deadline deadline) {
    boolean interrupted = false;
    while (true) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, deadline.remaining().toNanos());
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns a thread's stack, a frame a line. */
  public static String stack(Thread thread) {
    StackTraceElement[] frames = thread.getStackTrace();
    if (frames.length == 0) {
      return " " + thread.getState();
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
      text.append("\n      at ").append(frames[i]);
    }
    return text.toString();
  }
}
