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
  private volatile Thread thread;
  private volatile boolean done;
  private volatile boolean complete;

  /**
   * Creates a task, to be awaited by the calling thread. Not started.
   *
   * @param body returns whether all of it was done in time
   */
  ConcurrentTask(String name, BooleanSupplier body) {
    this.body = body;
    this.thread = Threads.daemon(name, LogContext.current().around(this::run));
  }

  /**
   * Creates a task and starts it.
   *
   * @param brief the task takes no time: it runs on the calling thread, as every task does where
   *     the process can have no other thread
   */
  static ConcurrentTask start(String name, boolean brief, BooleanSupplier body) {
    ConcurrentTask task = new ConcurrentTask(name, body);
    task.start(brief);
    return task;
  }

  /** Starts it, once. */
  void start(boolean brief) {
    if (brief || !Threads.start(thread)) {
      thread = waiter;
      run();
    }
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

  /** Returns the thread that runs the task. */
  Thread thread() {
    return thread;
  }
}
