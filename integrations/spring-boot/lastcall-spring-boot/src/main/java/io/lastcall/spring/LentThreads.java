package io.lastcall.spring;

import io.lastcall.spring.taker.OwnThreads;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Looks, when all lifecycles have stopped and before beans are destroyed, for threads of libraries
 * in the application's code. All that is counted has ended then: they are pieces of a taker that is
 * not known, and a connection that is destroyed may interrupt them.
 */
final class LentThreads implements SmartLifecycle {
  private volatile boolean running;

  /** Null until a shutdown closes the context: another close cuts nothing that it has to report. */
  private volatile @Nullable OwnThreads threads;

  private volatile List<String> lent = List.of();

  /** Has it look as the context closes. */
  void lookFor(OwnThreads ofContext) {
    threads = ofContext;
  }

  /** Returns those that it has seen. */
  List<String> lent() {
    return lent;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    OwnThreads known = threads;
    if (known != null) {
      lent = known.lent();
    }
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Stops last. */
  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }
}
