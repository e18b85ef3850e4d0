package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShorterPlanTest {
  private static final List<Setting<Duration>> PARTS =
      List.of(
          Setting.PRE_STOP_DELAY,
          Setting.PROPAGATION_DELAY,
          Setting.READINESS_HOLD,
          Setting.DRAIN_TIMEOUT,
          Setting.CLOSE_TIMEOUT,
          Setting.EXIT_TIMEOUT,
          Setting.RESERVE);

  private static ShutdownPlan plan(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    return ShutdownPlan.of(new SettingSources(environment, new Properties()));
  }

  private static ShutdownPlan shortened(ShutdownPlan plan, int seconds) {
    return plan.shortenedTo(Duration.ofSeconds(seconds), Duration.ZERO);
  }

  @Test
  void shortenedTo_defaults_areThoseOfThatGracePeriod() {
    ShutdownPlan five = plan(Map.of("LASTCALL_GRACE_PERIOD", "5s"));
    ShutdownPlan shorter = shortened(plan(Map.of()), 5);
    PARTS.forEach(part -> assertEquals(five.value(part).value(), shorter.value(part).value()));
    assertEquals(five.untilHalt(), shorter.untilHalt());
    assertTrue(shorter.drainsWhatRemains());
    assertTrue(shorter.isShortened());
    assertFalse(five.isShortened());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 10, 20, 29})
  void shortenedTo_valuesThatWereSet_fitAndNeverGrow(int seconds) {
    ShutdownPlan plan =
        plan(
            Map.of(
                "LASTCALL_PROPAGATION_DELAY", "10s",
                "LASTCALL_READINESS_HOLD", "3s",
                "LASTCALL_DRAIN_TIMEOUT", "5s",
                "LASTCALL_CLOSE_TIMEOUT", "4s",
                "LASTCALL_EXIT_TIMEOUT", "3s",
                "LASTCALL_RESERVE", "5s"));
    ShutdownPlan shorter = shortened(plan, seconds);
    Duration sum = Duration.ZERO;
    for (Setting<Duration> part : PARTS) {
      Duration value = shorter.value(part).value();
      assertTrue(value.compareTo(plan.value(part).value()) <= 0, part.name());
      assertFalse(value.isNegative(), part.name());
      sum = sum.plus(value);
    }
    assertTrue(sum.compareTo(Duration.ofSeconds(seconds)) <= 0, shorter.table());
    assertFalse(shorter.value(Setting.DRAIN_TIMEOUT).isDefault());
    assertEquals(seconds > 0, shorter.drainTimeout().toNanos() > 0);
  }

  @Test
  void shortenedTo_delayHadBegunBeforeTheTrigger_waitsForTheRestOfIt() {
    Duration waited = Duration.ofSeconds(10);
    ShutdownPlan shorter = plan(Map.of()).shortenedTo(Duration.ofSeconds(20), waited);
    assertEquals(Duration.ofSeconds(5), shorter.keepServing());
    assertEquals(Duration.ofSeconds(19), shorter.untilHalt());
  }

  @Test
  void shortenedTo_preStopWasDeclared_isNotTakenTwice() {
    ShutdownPlan plan = plan(Map.of("LASTCALL_PRE_STOP_DELAY", "10s"));
    ShutdownPlan shorter = plan.shortenedTo(Duration.ofSeconds(18), Duration.ofSeconds(12));
    assertEquals(Duration.ofSeconds(3), shorter.keepServing());
    assertEquals(Duration.ofSeconds(17), shorter.untilHalt());
  }

  @Test
  void shortenedTo_values_sayThatTheyWereShortened() {
    ShutdownPlan shorter = shortened(plan(Map.of()), 5);
    assertEquals(
        "default, at most half the grace period, shortened: SIGKILL comes earlier than declared",
        shorter.value(Setting.PROPAGATION_DELAY).sourceText());
    assertEquals("default", shorter.value(Setting.LATE_REQUESTS).sourceText());
  }
}
