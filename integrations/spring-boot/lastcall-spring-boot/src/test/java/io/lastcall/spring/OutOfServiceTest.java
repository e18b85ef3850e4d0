package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.report.ShutdownListener;
import io.lastcall.spring.service.TestApplication;
import io.lastcall.testing.Background;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.PriorityOrdered;

/** What Actuator says of readiness while the process is out of service, and after that. */
@Timeout(120)
class OutOfServiceTest {
  private ConfigurableApplicationContext context;
  private GracefulShutdown shutdown;

  @BeforeEach
  void start() {
    context = SpringApplication.run(TestApplication.class, ContextsTest.QUIET);
    shutdown = context.getBean(GracefulShutdown.class);
    shutdown.takeOutOfService(true);
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void outOfService_actuatorsReadiness_turnsWithIt() {
    awaitState(ReadinessState.REFUSING_TRAFFIC);
    say(ReadinessState.ACCEPTING_TRAFFIC);
    assertEquals(ReadinessState.REFUSING_TRAFFIC, ContextsTest.state(context));
    shutdown.takeOutOfService(false);
    awaitState(ReadinessState.ACCEPTING_TRAFFIC);
    ContextsTest.awaitReadiness(shutdown, true);
  }

  @Test
  void outOfService_applicationRefusesMeanwhile_itsWordHolds() {
    say(ReadinessState.REFUSING_TRAFFIC);
    shutdown.takeOutOfService(false);
    ContextsTest.awaitReadiness(shutdown, false);
    assertEquals(ReadinessState.REFUSING_TRAFFIC, ContextsTest.state(context));
  }

  /** On another thread its word is about to be taken back. */
  @Test
  void outOfService_endsAsTheApplicationSpeaks_whatHoldsIsSaidLast() throws Exception {
    awaitState(ReadinessState.REFUSING_TRAFFIC);
    CountDownLatch ended = new CountDownLatch(1);
    shutdown.listener(
        new ShutdownListener() {
          @Override
          public void outOfService(boolean on) {
            ended.countDown();
          }
        });
    Holding holding = new Holding();
    context.addApplicationListener(holding);
    Background<Boolean> application =
        Background.run(
            () -> {
              say(ReadinessState.ACCEPTING_TRAFFIC);
              return true;
            });
    holding.held.await();
    shutdown.takeOutOfService(false);
    ended.await();
    holding.goOn.countDown();
    assertTrue(application.result());
    assertEquals(ReadinessState.ACCEPTING_TRAFFIC, ContextsTest.state(context));
  }

  private void say(ReadinessState state) {
    AvailabilityChangeEvent.publish(context, state);
  }

  private void awaitState(ReadinessState wanted) {
    Awaitility.await().until(() -> ContextsTest.state(context), wanted::equals);
  }

  /** Holds up who says that traffic is refused, before anybody else hears it. */
  private static final class Holding
      implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>>, PriorityOrdered {
    final CountDownLatch held = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
      if (event.getState() == ReadinessState.REFUSING_TRAFFIC) {
        held.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError("The test was interrupted", e);
        }
      }
    }
  }
}
