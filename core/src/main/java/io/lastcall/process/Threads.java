package io.lastcall.process;

import io.lastcall.time.Deadline;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The only place where the library makes threads. All are named {@code lastcall-...}. */
public final class Threads {
  /** Frames that are shown of a stack: enough to see what a thread waits for. */
  private static final int FRAMES = 12;

  private static final String PREFIX = "lastcall-";

  private Threads() {}

  /** Returns a daemon, which keeps no JVM alive. Not started. */
  public static Thread daemon(String name, Runnable body) {
    Thread thread = user(name, body);
    thread.setDaemon(true);
    return thread;
  }

  /** Returns a thread that keeps the JVM alive while it runs. Not started. */
  public static Thread user(String name, Runnable body) {
    Thread thread = new Thread(null, body, PREFIX + name, 0, false);
    thread.setDaemon(false);
    // From JDK 19 on, a thread without inherited thread-locals does not inherit this one either.
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

  /** Unparks every thread of the library that waits: a deadline has moved. */
  public static void wakeAll() {
    alive().stream()
        .filter(thread -> thread.getName().startsWith(PREFIX))
        .forEach(LockSupport::unpark);
  }

  /** Starts a thread; returns false at the process's limit of threads. */
  public static boolean start(Thread thread) {
    try {
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /**
   * Waits for a thread's end, at most until the deadline. An interrupt does not end the wait and is
   * restored after it. A thread's end wakes no ticker, so the time that is left is real time.
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
    return frames.length == 0
        ? " " + thread.getState()
        : Stream.of(frames)
            .limit(FRAMES)
            .map(frame -> "\n      at " + frame)
            .collect(Collectors.joining());
  }
}
