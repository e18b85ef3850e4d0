package io.lastcall.netty;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Tasks of one event loop, of which each pass runs one, behind its select and all that it found; of
 * very many a small part, or a busy event loop would take seconds. Ending a connection takes tens
 * of microseconds, and what comes meanwhile on another that is to end would not be read if all were
 * ended in the same pass. Event loop only.
 */
final class FewPerPass {
  /** So many tasks, and each pass runs one; of ten times as many, ten. */
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
