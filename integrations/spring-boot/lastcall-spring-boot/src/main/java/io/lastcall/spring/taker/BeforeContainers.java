package io.lastcall.spring.taker;

import org.springframework.context.SmartLifecycle;

/**
 * Prepares the containers of listeners, which are no beans: they are in a registry, which starts
 * them after this.
 */
final class BeforeContainers implements SmartLifecycle {
  private final Runnable prepare;
  private volatile boolean running;

  BeforeContainers(Runnable prepare) {
    this.prepare = prepare;
  }

  @Override
  public void start() {
    running = true;
    prepare.run();
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }
}
