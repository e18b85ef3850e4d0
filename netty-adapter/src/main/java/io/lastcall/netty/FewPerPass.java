package io.lastcall.netty;

import io.lastcall.time.Ticker;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Tasks of one event loop, each of which ends a connection. A pass of the event loop runs one of
 * them, behind its select and all that this has found; where very many wait, a small part of them,
 * or a busy event loop would take seconds for all. Not all at once: ending a connection takes tens
 * of microseconds, and what comes meanwhile on another that is to end must be read before. For the
 * same reason a pass that has taken long by then, with others' requests in code that is still cold
 * say, runs none, {@link #LONG_PASSES} times. Event loop only.
 */
final class FewPerPass {
  /** Up to so many tasks a pass runs one, of ten times as many ten. */
  static final int MANY = 64;

  /** What the time from one pass to the next, with all that its select has found, usually is. */
  static final Duration SHORT = Duration.ofMillis(1);

  /** An event loop that is always busy must come to an end, too. */
  static final int LONG_PASSES = 20;

  private final EventExecutor eventLoop;
  private final Ticker ticker;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean awaitingPass;

  /** When the pass was asked for that is awaited. */
  private long asked;

  /** How many have been too long since there was nothing to do. */
  private int longPasses;

  FewPerPass(EventExecutor eventLoop, Ticker ticker) {
    this.eventLoop = eventLoop;
    this.ticker = ticker;
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
      asked = ticker.read();
      eventLoop.schedule(this::runSome, 0, TimeUnit.NANOSECONDS);
    }
  }

  private void runSome() {
    int count = isTooLong() ? 0 : (tasks.size() + MANY - 1) / MANY;
    try {
      for (int i = 0; i < count; i++) {
        tasks.remove().run();
      }
    } finally {
      awaitingPass = false;
      if (tasks.isEmpty()) {
        longPasses = 0;
      } else {
        awaitPass();
      }
    }
  }

  private boolean isTooLong() {
    return ticker.read() - asked > SHORT.toNanos() && longPasses++ < LONG_PASSES;
  }
}
