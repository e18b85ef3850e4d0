package io.lastcall.netty;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Tasks of one event loop, each of which ends a connection. A pass of the event loop runs one of
 * them, behind its select and all that this has found; where very many wait, a small part of them,
 * or a busy event loop would take seconds for all. Not all at once: ending a connection takes tens
 * of microseconds, and what comes meanwhile on another that is to end must be read before. Event
 * loop only.
 */
final class FewPerPass {
  /** Up to so many tasks a pass runs one, of ten times as many ten. */
  static final int MANY = 64;

  private final EventExecutor eventLoop;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean awaitingPass;

  FewPerPass(EventExecutor eventLoop) {
    this.eventLoop = eventLoop;
  }

  /** Runs {@code task} in a later pass. */
  void add(Runnable task) {
    tasks.add(task);
    awaitPass();
  }

  /** By a scheduled task, which waits for the next select; one that is executed need not. */
  private void awaitPass() {
    if (!awaitingPass) {
      awaitingPass = true;
      eventLoop.schedule(this::runSome, 0, TimeUnit.NANOSECONDS);
    }
  }

  private void runSome() {
    int count = (tasks.size() + MANY - 1) / MANY;
    try {
      for (int i = 0; i < count; i++) {
        tasks.remove().run();
      }
    } finally {
      awaitingPass = false;
      if (!tasks.isEmpty()) {
        awaitPass();
      }
    }
  }
}
