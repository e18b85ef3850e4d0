package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.GracefulShutdown;
import io.lastcall.spring.LastcallAutoConfiguration;
import io.lastcall.spring.LastcallWorkAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

@Timeout(60)
class StopFirstTest {
  private static final String ALLOWED =
      "; allowed: names of beans that are a Lifecycle or AutoCloseable, or a method without"
          + " parameters as in ordersEngine.pause";

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  LastcallAutoConfiguration.class, LastcallWorkAutoConfiguration.class))
          .withBean("ordersEngine", Engine.class)
          .withBean("poller", Poller.class)
          .withBean("pool", Pool.class)
          .withBean("text", String.class, () -> "text");

  static class Engine implements SmartLifecycle {
    private volatile boolean running;

    @Override
    public void start() {
      running = true;
    }

    @Override
    public void stop() {
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }
  }

  /** Is stopped by a method alone. */
  static class Poller {
    void pause() {}

    @SuppressWarnings("unused")
    private void hidden() {}
  }

  static class Pool implements AutoCloseable {
    @Override
    public void close() {}
  }

  /** A source of that name is there already. */
  private void assertStoppedFirst(String name) {
    runner
        .withPropertyValues("lastcall.stop-first=" + name)
        .run(
            context -> {
              GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
              assertThrows(
                  IllegalArgumentException.class, () -> shutdown.workSource(name, () -> {}));
            });
  }

  private void assertRefused(String name, String why) {
    runner
        .withPropertyValues("lastcall.stop-first=poller.pause," + name)
        .run(
            context -> {
              Throwable failure = context.getStartupFailure();
              assertNotNull(failure);
              assertEquals(
                  "lastcall.stop-first=" + name + ": " + why + ALLOWED, failure.getMessage());
            });
  }

  @Test
  void lifecycle_closeableAndMethod_areStoppedFirst() {
    assertStoppedFirst("ordersEngine");
    assertStoppedFirst("pool");
    assertStoppedFirst("poller.pause");
  }

  @Test
  void nothingNamed_nothingIsStopped() {
    runner.run(
        context -> {
          GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
          shutdown.workSource("ordersEngine", () -> {}).remove();
        });
  }

  @Test
  void missingBean_isRefusedWithTheNearest() {
    assertRefused("orderEngine", "there is no bean of that name; the nearest is ordersEngine");
    assertRefused(
        "orderEngine.pause", "there is no bean of that name; the nearest is ordersEngine");
  }

  @Test
  void beanThatIsNoLifecycle_isRefusedWithTheNearest() {
    assertRefused(
        "text", "java.lang.String is neither a Lifecycle nor AutoCloseable; the nearest is pool");
  }

  @Test
  void missingOrPrivateMethod_isRefused() {
    assertRefused(
        "poller.hidden", Poller.class.getName() + " has no method hidden without parameters");
    assertRefused(
        "ordersEngine.stopp",
        Engine.class.getName() + " has no method stopp without parameters; the nearest is stop");
  }

  @Test
  void ownServer_isRefused() {
    assertRefused(
        "lastcallProcessShutdown",
        "io.lastcall.spring.ProcessShutdown is a server, which serves until DRAIN has ended;"
            + " the nearest is ordersEngine");
  }

  /** Nothing asks for what reads the setting. */
  @Test
  void lazyInitialization_aNameThatCannotBeMeant_isRefusedAllTheSame() {
    runner
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .withPropertyValues("lastcall.stop-first=nobody")
        .run(context -> assertNotNull(context.getStartupFailure()));
  }
}
