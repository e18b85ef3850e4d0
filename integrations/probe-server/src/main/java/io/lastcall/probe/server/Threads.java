package io.lastcall.probe.server;

import io.lastcall.time.Deadline;
import java.util.concurrent.TimeUnit;

/** The threads of this artifact: daemons named {@code lastcall-...}. */
final class Threads {
  private Threads() {}

  /** Returns one that has not been started. */
  static Thread daemon(String name, Runnable body) {
    Thread thread = new Thread(null, body, "lastcall-" + name, 0, false);
    thread.setDaemon(true);
    // From JDK 19 on a thread that inherits no thread-locals does not inherit this one either.
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    return thread;
  }

  /** Waits for a thread's end until the deadline. An interrupt is restored after the wait. */
  static void join(Thread thread, Deadline deadline) {
    boolean interrupted = false;
    boolean waited = false;
    while (!waited) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, deadline.remaining().toNanos());
        waited = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
