package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Phase;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.diagnostics.FailureAnalysis;
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

  private static String explanation(Class<?> bean) {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
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

  @ShutdownSettings(gracePeriod = "40s")
  static class Settings {}
}
