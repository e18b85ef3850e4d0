package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Phase;
import io.lastcall.plan.Durations;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Beans whose annotations are refused: Spring Boot explains it, as it does with settings. */
@Timeout(120)
class RefusedBeansTest {

  @Test
  void memberThatCannotBeAStep_isExplained() {
    assertEquals(
        "@OnShutdown on io.lastcall.spring.RefusedBeansTest$Orders.stop: it takes (String);"
            + " allowed: no parameter, or one StepContext",
        explanation(Orders.class));
  }

  @Test
  void settingsOnABean_areExplained() {
    assertEquals(
        "@ShutdownSettings on io.lastcall.spring.RefusedBeansTest$Settings: the plan is made before"
            + " any bean is; allowed: lastcall.* in the application's configuration",
        explanation(Settings.class));
  }

  @Test
  void timeoutOfAPlaceholderWithoutAValue_isExplained() {
    assertEquals(
        "@OnShutdown on io.lastcall.spring.RefusedBeansTest$Outbox.flush: timeout=${flush-timeout}:"
            + " Could not resolve placeholder 'flush-timeout' in value \"${flush-timeout}\"; allowed: "
            + Durations.ALLOWED,
        explanation(Outbox.class));
  }

  @Test
  void timeoutOfAPlaceholderWhoseValueIsNone_isExplained() {
    assertEquals(
        "@OnShutdown on io.lastcall.spring.RefusedBeansTest$Outbox.flush: timeout=${flush-timeout}"
            + " (5): the unit is missing; allowed: "
            + Durations.ALLOWED,
        explanation(Outbox.class, "flush-timeout=5"));
  }

  private static String explanation(Class<?> bean, String... properties) {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      TestPropertyValues.of(properties).applyTo(context);
      context.register(LastcallAutoConfiguration.class, bean);
      Exception failure = assertThrows(RuntimeException.class, context::refresh);
      FailureAnalysis analysis = new RefusedSettings.Analyzer().analyze(failure);
      return Objects.requireNonNull(analysis, failure::toString).getDescription();
    }
  }

  static class Orders {
    @OnShutdown(phase = Phase.DRAIN)
    void stop(String why) {}
  }

  static class Outbox {
    @OnShutdown(phase = Phase.DRAIN, timeout = "${flush-timeout}")
    void flush() {}
  }

  @ShutdownSettings(gracePeriod = "40s")
  static class Settings {}
}
