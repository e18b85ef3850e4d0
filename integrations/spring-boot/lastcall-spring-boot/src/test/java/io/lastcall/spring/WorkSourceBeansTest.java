package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
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
  void workSourceInAField_isRegisteredUnderTheFieldsName_andNotTwice() {
    Consumer own = new Consumer();
    runner
        .withBean(Service.class, () -> new Service(own))
        .withBean("rows", Consumer.class, () -> own)
        .run(
            context -> {
              GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
              assertThrows(
                  IllegalArgumentException.class,
                  () -> shutdown.workSource("Service.mails", new Consumer()));
              assertDoesNotThrow(() -> shutdown.workSource("Service.rows", new Consumer()));
            });
  }

  /** One of its own, and one that is a bean. */
  private static final class Service {
    @OnShutdown(phase = Phase.KEEP_SERVING)
    private final WorkSource mails = new Consumer();

    @OnShutdown(phase = Phase.KEEP_SERVING)
    private final WorkSource rows;

    Service(WorkSource rows) {
      this.rows = rows;
    }
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
