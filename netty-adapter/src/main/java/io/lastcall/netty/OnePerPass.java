package io.lastcall.netty;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Tasks of one event loop, of which each pass runs one: behind its select and all that it found.
 * Ending a connection takes tens of microseconds, and what comes meanwhile on another that is to
 * end would not be read if both were ended in the same pass. Event loop only.
 */
final class OnePerPass {
  private final EventExecutor eventLoop;
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  OnePerPass(EventExecutor eventLoop) {
    this.eventLoop = eventLoop;
  }

  /** Runs {@code task} in a later pass. */
  void add(Runnable task) {
    tasks.add(task);
    if (tasks.size() == 1) {
      awaitPass();
    }
  }

  /** By a scheduled task, which waits for the next select; one that is executed need not. */
  private void awaitPass() {
    eventLoop.schedule(this::runFirst, 0, TimeUnit.NANOSECONDS);
  }

  private void runFirst() {
    try {
      tasks.element().run();
    } finally {
      tasks.remove();
      if (!tasks.isEmpty()) {
        awaitPass();
      }
    }
  }
}
