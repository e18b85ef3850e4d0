package io.lastcall.sequence;

import io.lastcall.process.LogContext;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Work that runs concurrently with the thread that started it, and is awaited by that thread. */
final class ConcurrentTask {
  /**
   * How long after the deadline it is awaited: late work ends itself at the deadline and records
   * that. Spent in full only where something hangs.
   */
  private static final Duration ENDING = Duration.ofMillis(100);

  private final Thread waiter = Thread.currentThread();
  private final BooleanSupplier body;
  private final Thread thread;
  private volatile boolean done;
  private volatile boolean complete;

  private ConcurrentTask(String name, BooleanSupplier body) {
    this.body = body;
    this.thread = Threads.daemon(name, LogContext.current().around(this::run));
  }

  /**
   * Starts it; runs it on the calling thread if the process can have no other.
   *
   * @param body returns whether all of it was done in time
   */
  static ConcurrentTask start(String name, BooleanSupplier body) {
    ConcurrentTask task = new ConcurrentTask(name, body);
    if (!Threads.start(task.thread)) {
      task.run();
    }
    return task;
  }

  /** Runs it on the calling thread: it takes no time, and is worth no thread. */
  static ConcurrentTask here(String name, BooleanSupplier body) {
    ConcurrentTask task = new ConcurrentTask(name, body);
    task.run();
    return task;
  }

  private void run() {
    try {
      complete = body.getAsBoolean();
    } finally {
      done = true;
      LockSupport.unpark(waiter);
    }
  }

  /**
   * Waits for its end; returns whether all of it was done in time. Late work ends itself, and gets
   * a moment for that.
   */
  boolean await(Deadline deadline) {
    return deadline.plus(ENDING).await(this, () -> done) && complete;
  }

  boolean isDone() {
    return done;
  }

  Thread thread() {
    return thread;
  }
}
