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

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 29})
  void shortenedTo_defaults_areThoseOfThatGracePeriod(int seconds) {
    ShutdownPlan declared = plan(Map.of("LASTCALL_GRACE_PERIOD", seconds + "s"));
    ShutdownPlan shorter = shortened(plan(Map.of()), seconds);
    PARTS.forEach(
        part ->
            assertEquals(declared.value(part).value(), shorter.value(part).value(), part.name()));
    assertEquals(declared.untilHalt(), shorter.untilHalt());
    assertTrue(shorter.drainsWhatRemains());
    assertTrue(shorter.isShortened());
    assertFalse(declared.isShortened());
    assertEquals(declared.isShort(), shorter.isShort());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void shortTime_isForRequests_upToHalfASecondAndTheEnd(int seconds) {
    Duration tail = Durations.max(Duration.ofMillis(500), Duration.ofMillis(seconds * 100L));
    Duration exit = Durations.max(Duration.ofMillis(100), Duration.ofMillis(seconds * 50L));
    for (ShutdownPlan plan :
        List.of(
            plan(Map.of("LASTCALL_GRACE_PERIOD", seconds + "s")),
            shortened(plan(Map.of("LASTCALL_PROPAGATION_DELAY", "15s")), seconds))) {
      assertTrue(plan.isShort());
      assertEquals(Duration.ofMillis(500), plan.reserve());
      assertEquals(exit, plan.exitTimeout());
      assertEquals(Duration.ofMillis(100), plan.closeTimeout());
      Duration served = plan.keepServing().plus(plan.drainTimeout());
      assertEquals(Duration.ofMillis(seconds * 1_000L - 600).minus(exit), served, plan.table());
      assertTrue(plan.drainTimeout().compareTo(tail) <= 0, plan.table());
    }
  }

  @Test
  void shortTime_delayThatWasSet_isNoLonger() {
    Map<String, String> settings = Map.of("LASTCALL_PROPAGATION_DELAY", "3s");
    assertEquals(Duration.ofSeconds(3), shortened(plan(settings), 8).keepServing());
  }

  @Test
  void shortTime_valuesThatWereSet_leaveTheDelayLess() {
    ShutdownPlan plan =
        plan(
            Map.of(
                "LASTCALL_GRACE_PERIOD", "10s",
                "LASTCALL_DRAIN_TIMEOUT", "4s",
                "LASTCALL_CLOSE_TIMEOUT", "1s",
                "LASTCALL_RESERVE", "2s"));
    assertEquals(Duration.ofMillis(2_500), plan.keepServing());
  }

  @Test
  void shortTime_afterAPreStopHook_isTheTimeAfterIt() {
    ShutdownPlan plan =
        plan(Map.of("LASTCALL_GRACE_PERIOD", "20s", "LASTCALL_PRE_STOP_DELAY", "10s"));
    assertTrue(plan.isShort());
    assertEquals(Duration.ofSeconds(5), plan.keepServing());
    assertEquals(Duration.ofMillis(9_500), plan.untilHalt());
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
