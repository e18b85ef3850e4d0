package io.lastcall;

import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Something that runs beside the thread that started it, and is awaited by that one. */
final class Beside {
  /**
   * How long behind the deadline it is waited for: what is late ends itself at the deadline, and
   * records that. Spent in full where something hangs.
   */
  private static final Duration ENDING = Duration.ofMillis(100);

  private final Thread waiter = Thread.currentThread();
  private final BooleanSupplier body;
  private final Thread thread;
  private volatile boolean done;
  private volatile boolean complete;

  private Beside(String name, BooleanSupplier body) {
    this.body = body;
    this.thread = Threads.daemon(name, LogContext.current().around(this::run));
  }

  /**
   * Starts it; without a free thread it runs here and now.
   *
   * @param body returns whether all of it was done in time
   */
  static Beside start(String name, BooleanSupplier body) {
    Beside beside = new Beside(name, body);
    if (!Threads.start(beside.thread)) {
      beside.run();
    }
    return beside;
  }

  /** Runs here and now what takes no time: it is worth no thread. */
  static Beside here(String name, BooleanSupplier body) {
    Beside beside = new Beside(name, body);
    beside.run();
    return beside;
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
   * Waits for its end; returns whether all was done in time. What is late by then ends itself: it
   * gets a moment for that.
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
