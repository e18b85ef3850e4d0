package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.GracefulShutdown;
import io.lastcall.work.WorkSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A consumer of the application's own. */
@Timeout(120)
class WorkSourceBeansTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  LastcallAutoConfiguration.class, LastcallWorkAutoConfiguration.class))
          .withBean("orders", Consumer.class, Consumer::new);

  private static final class Consumer implements WorkSource {
    @Override
    public void stopTaking() {}

    @Override
    public CompletionStage<?> finished() {
      return CompletableFuture.completedFuture(null);
    }
  }

  @Test
  void workSource_isRegisteredUnderTheNameOfItsBean() {
    runner.run(
        context -> {
          GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
          assertThrows(
              IllegalArgumentException.class, () -> shutdown.workSource("orders", new Consumer()));
        });
  }

  @Test
  void workDisabled_workSourceIsLeftToTheApplication() {
    runner
        .withPropertyValues("lastcall.work.enabled=false")
        .run(
            context -> {
              GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
              assertDoesNotThrow(() -> shutdown.workSource("orders", new Consumer()));
            });
  }
}
