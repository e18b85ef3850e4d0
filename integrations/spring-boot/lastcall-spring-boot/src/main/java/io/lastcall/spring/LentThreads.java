package io.lastcall.spring;

import io.lastcall.spring.taker.OwnThreads;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Looks, when all lifecycles have stopped and before beans are destroyed, for threads of libraries
 * in the application's code. All that is counted has ended then: they are pieces of a taker that is
 * not known, and a connection that is destroyed may interrupt them.
 */
final class LentThreads implements SmartLifecycle {
  private final ConfigurableApplicationContext context;
  private volatile boolean running;
  private volatile List<String> lent = List.of();

  LentThreads(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Returns those that it has seen in its last look. */
  List<String> lent() {
    return lent;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    lent = OwnThreads.of(context.getBeanFactory()).lent();
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
