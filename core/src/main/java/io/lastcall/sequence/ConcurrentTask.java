package io.lastcall.sequence;

import io.lastcall.process.LogContext;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Work that runs concurrently with the thread that started it, and is awaited by that thread. */
final class ConcurrentTask {
  /** How long after its deadline a task is awaited: late work ends itself, and records that. */
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
   * Starts a task.
   *
   * @param brief the task takes no time: it runs on the calling thread, as every task does where
   *     the process can have no other thread
   * @param body returns whether all of it was done in time
   */
  static ConcurrentTask start(String name, boolean brief, BooleanSupplier body) {
    ConcurrentTask task = new ConcurrentTask(name, body);
    if (brief || !Threads.start(task.thread)) {
      task.run();
    }
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

  /** Waits until the task ends; returns whether all of it was done in time. */
  boolean await(Deadline deadline) {
    return deadline.plus(ENDING).await(this, () -> done) && complete;
  }

  boolean isDone() {
    return done;
  }

  /** Returns where the task is now, a frame a line. */
  String stack() {
    return Threads.stack(thread);
  }
}
