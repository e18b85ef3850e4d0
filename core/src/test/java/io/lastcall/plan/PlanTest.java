package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
  private final Map<String, String> environment =
      new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
  private final SettingSources sources = new SettingSources(environment, new Properties());

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private void set(Setting<Duration> setting, String value) {
    sources.set(setting, Durations.parse(value));
  }

  private ShutdownPlan plan() {
    return ShutdownPlan.of(sources);
  }

  private String refusal() {
    return String.valueOf(assertThrows(IllegalArgumentException.class, this::plan).getMessage());
  }

  @Test
  void plan_defaultsInKubernetes_fillTheGracePeriod() {
    ShutdownPlan plan = plan();
    assertEquals(millis(30_000), plan.gracePeriod());
    assertEquals(millis(15_000), plan.propagationDelay());
    assertEquals(millis(15_000), plan.keepServing());
    assertEquals(Duration.ZERO, plan.preStopDelay());
    assertEquals(ReadinessPolicy.AFTER_PROPAGATION, plan.readinessPolicy());
    assertEquals(Duration.ZERO, plan.readinessHold());
    assertEquals(millis(9_750), plan.drainTimeout());
    assertEquals(LateRequestPolicy.SERVE, plan.lateRequests());
    assertEquals(millis(3_250), plan.closeTimeout());
    assertEquals(millis(1_000), plan.exitTimeout());
    assertEquals(millis(5_000), plan.exitDrainTimeout());
    assertEquals(millis(1_000), plan.reserve());
    assertEquals(0, plan.cleanExitCode());
    assertEquals(List.of("TERM"), plan.stopSignals());
    assertEquals(millis(29_000), plan.untilHalt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1s", "2s", "4s", "5s", "10s", "15s", "16s", "30s", "1m", "10m", "24h"})
  void plan_defaults_sumUpToTheGracePeriodExactly(String grace) {
    set(Setting.GRACE_PERIOD, grace);
    ShutdownPlan plan = plan();
    Duration sum =
        plan.keepServing()
            .plus(plan.readinessHold())
            .plus(plan.drainTimeout())
            .plus(plan.closeTimeout())
            .plus(plan.exitTimeout())
            .plus(plan.reserve());
    assertEquals(plan.gracePeriod(), sum);
    assertEquals(millis(plan.isShort() ? 500 : 1_000), plan.reserve());
  }

  @Test
  void plan_outsideKubernetes_hasNoDelayAndSaysWhy() {
    environment.clear();
    assertEquals(Duration.ZERO, plan().propagationDelay());
    assertTrue(
        plan().table().contains("default, not in Kubernetes: KUBERNETES_SERVICE_HOST is not set"));
  }

  /** The same image, with the manifest's minimum, in a container of its own. */
  @Test
  void plan_outsideKubernetesWithAMinimum_hasNoDelayAllTheSame() {
    environment.clear();
    set(Setting.PROPAGATION_MINIMUM, "3s");
    assertEquals(Duration.ZERO, plan().propagationDelay());
    assertEquals(Duration.ZERO, plan().propagationMinimum());
    assertFalse(plan().isAdaptive());
  }

  @Test
  void plan_minimumLongerThanADelayGivenOutsideKubernetes_isRefused() {
    environment.clear();
    set(Setting.PROPAGATION_DELAY, "2s");
    set(Setting.PROPAGATION_MINIMUM, "3s");
    assertEquals(
        "propagation-minimum=3s (code) is longer than propagation-delay=2s (code); allowed: at most"
            + " that",
        refusal());
  }

  @Test
  void plan_shortGracePeriod_halvesTheDefaultDelay() {
    set(Setting.GRACE_PERIOD, "20s");
    assertEquals(millis(10_000), plan().propagationDelay());
  }

  @Test
  void plan_preStopDelay_isSubtractedAndCountsAsPropagation() {
    set(Setting.PRE_STOP_DELAY, "5s");
    assertEquals(millis(10_000), plan().keepServing());
    assertEquals(millis(24_000), plan().untilHalt());
    assertEquals(millis(9_750), plan().drainTimeout());
  }

  @Test
  void plan_preStopDelayLongerThanPropagation_servesOnNoFurther() {
    set(Setting.PRE_STOP_DELAY, "20s");
    assertEquals(Duration.ZERO, plan().keepServing());
    assertEquals(millis(9_500), plan().untilHalt());
    assertEquals(millis(8_900), plan().drainTimeout());
  }

  @Test
  void plan_phasesDoNotFit_refusesWithTheArithmetic() {
    set(Setting.DRAIN_TIMEOUT, "20s");
    environment.put("LASTCALL_PROPAGATION_DELAY", "12s");
    assertEquals(
        String.format(
            "The plan does not fit grace-period=30s (default, as in Kubernetes): 8s too long, and"
                + " DRAIN needs more than 0s.%n"
                + "  pre-stop-delay           0s  (default)%n"
                + "  propagation-delay       12s  (environment LASTCALL_PROPAGATION_DELAY)%n"
                + "  readiness-hold           0s  (default)%n"
                + "  drain-timeout           20s  (code)%n"
                + "  close-timeout            4s  (default, closers may take what remains)%n"
                + "  exit-timeout             1s  (default)%n"
                + "  reserve                  1s  (default)%n"
                + "pre-stop-delay counts towards propagation-delay: the longer of the two is"
                + " waited. Raise grace-period together with the pod's"
                + " terminationGracePeriodSeconds to 39s, the smallest that fits, or shorten one of"
                + " these."),
        refusal());
    set(Setting.GRACE_PERIOD, "38s");
    assertTrue(refusal().startsWith("The plan does not fit grace-period=38s (code): 1s too long"));
    set(Setting.GRACE_PERIOD, "39s");
    assertEquals(millis(20_000), plan().drainTimeout());
  }

  @Test
  void plan_nothingLeftForDrain_refuses() {
    set(Setting.PROPAGATION_DELAY, "28s");
    String message = refusal();
    assertTrue(
        message.startsWith(
            "The plan does not fit grace-period=30s (default, as in Kubernetes): 1ms too long,"),
        message);
  }

  @Test
  void plan_graceOfZero_refuses() {
    set(Setting.GRACE_PERIOD, "0s");
    assertTrue(
        refusal().startsWith("The plan does not fit grace-period=0s (code): 500ms too long"));
  }

  @Test
  void plan_closeLeavesNothingForDrain_refusesAndNamesTheSmallestThatFits() {
    set(Setting.CLOSE_TIMEOUT, "13s");
    String message = refusal();
    assertTrue(message.contains(": 1ms too long"), message);
    assertTrue(message.contains(" to 31s, the smallest that fits"), message);
    set(Setting.GRACE_PERIOD, "31s");
    assertEquals(millis(1_000), plan().drainTimeout());
  }

  @Test
  void plan_misfitWithTheDefaultDelay_countsThatTheDelayGrowsWithTheGracePeriod() {
    set(Setting.GRACE_PERIOD, "20s");
    set(Setting.DRAIN_TIMEOUT, "15s");
    String message = refusal();
    assertTrue(message.contains(" to 37s, the smallest that fits"), message);
    set(Setting.GRACE_PERIOD, "37s");
    assertEquals(millis(15_000), plan().propagationDelay());
  }

  @Test
  void warnings_graceTooShortForTheUsualDelay_nameTheCure() {
    set(Setting.GRACE_PERIOD, "20s");
    assertEquals(
        List.of(
            "grace-period=20s is too short for the usual propagation-delay of 15s: it is 10s. Raise"
                + " grace-period together with the pod's terminationGracePeriodSeconds to 30s, or"
                + " set propagation-delay"),
        plan().warnings());
  }

  @Test
  void warnings_unknownName_isAmongThem() {
    environment.put("LASTCALL_GRACE_PERIODE", "60s");
    assertEquals(
        List.of(
            "Unknown environment variable LASTCALL_GRACE_PERIODE is ignored; the nearest known name"
                + " is LASTCALL_GRACE_PERIOD"),
        plan().warnings());
  }

  @Test
  void warnings_delayGivenOrNotInKubernetes_areNone() {
    set(Setting.GRACE_PERIOD, "20s");
    set(Setting.PROPAGATION_DELAY, "5s");
    assertEquals(List.of(), plan().warnings());
    environment.clear();
    assertEquals(List.of(), plan().warnings());
  }

  @Test
  void plan_minimumLongerThanTheDelay_isRefused() {
    set(Setting.PROPAGATION_MINIMUM, "16s");
    assertEquals(
        "propagation-minimum=16s (code) is longer than propagation-delay=15s (default, at most half"
            + " the grace period); allowed: at most that",
        refusal());
  }

  @Test
  void plan_exactFit_isAccepted() {
    set(Setting.PROPAGATION_DELAY, "15s");
    set(Setting.CLOSE_TIMEOUT, "3s");
    set(Setting.DRAIN_TIMEOUT, "10s");
    assertEquals(millis(10_000), plan().drainTimeout());
    set(Setting.DRAIN_TIMEOUT, "10001ms");
    assertTrue(refusal().contains(": 1ms too long"));
  }

  @Test
  void plan_reserveBelowOneSecond_isRefused() {
    set(Setting.RESERVE, "999ms");
    assertEquals(
        "reserve=999ms (code): the exit of a JVM alone can take 310 ms; allowed: 1s or more",
        refusal());
  }

  @Test
  void plan_noTimeForExit_isRefused() {
    set(Setting.EXIT_TIMEOUT, "0s");
    assertEquals(
        "exit-timeout=0s (code): no server could be stopped in that; allowed: more than 0s",
        refusal());
  }

  @Test
  void plan_drainOfNoTime_isRefused() {
    set(Setting.DRAIN_TIMEOUT, "0s");
    assertEquals(
        "drain-timeout=0s (code): no request could finish in that; allowed: more than 0s",
        refusal());
  }

  @Test
  void plan_exitDrainOfNoTime_isRefused() {
    set(Setting.EXIT_DRAIN_TIMEOUT, "0s");
    assertEquals(
        "exit-drain-timeout=0s (code): no request could finish in that; allowed: more than 0s",
        refusal());
  }

  @Test
  void warnings_holdThatNobodySees_isTold() {
    set(Setting.READINESS_HOLD, "2s");
    sources.set(Setting.READINESS_POLICY, ReadinessPolicy.NEVER);
    assertEquals(
        List.of("readiness-hold=2s has no effect with readiness-policy=NEVER. Change one of them"),
        plan().warnings());
  }

  @Test
  void warnings_preStopDelayBesideAToken_sayWhichSleepCounts() {
    sources.set(Setting.PRE_STOP_TOKEN, ProbeToken.of("0123456789abcdef"));
    assertEquals(List.of(), plan().warnings());
    set(Setting.PRE_STOP_DELAY, "5s");
    assertEquals(
        List.of(
            "pre-stop-delay=5s is taken from KEEP_SERVING and from the time to the halt after"
                + " /prestop, too: right only if the hook sleeps before it calls /prestop. If it"
                + " does not, drop pre-stop-delay"),
        plan().warnings());
    sources.set(Setting.PRE_STOP_TOKEN, ProbeToken.none());
    assertEquals(List.of(), plan().warnings());
  }

  @Test
  void warnings_settingsOfAnAdaptiveWaitThatIsFixed_areTold() {
    sources.set(Setting.PROPAGATION_ROUTERS, 3);
    set(Setting.PROPAGATION_DELAY, "15s");
    assertEquals(
        List.of("propagation-routers has no effect without propagation-minimum"),
        plan().warnings());
    set(Setting.PROPAGATION_MINIMUM, "5s");
    assertEquals(List.of(), plan().warnings());
  }

  @Test
  void warnings_delayInWhichNoSilenceCounts_saysWhatWouldDo() {
    set(Setting.PROPAGATION_DELAY, "3s");
    set(Setting.PROPAGATION_MINIMUM, "2s");
    assertEquals(
        List.of(
            "propagation-minimum=2s has no effect at any traffic: silence counts from 1s500ms on, when"
                + " every response says close, and takes 1s500ms at the least. Raise"
                + " propagation-delay=3s to more than 3s, or drop propagation-minimum"),
        plan().warnings());
    set(Setting.PROPAGATION_DELAY, "3100ms");
    assertEquals(List.of(), plan().warnings());
    set(Setting.PRE_STOP_DELAY, "1s");
    assertEquals(1, plan().warnings().size());
    set(Setting.PROPAGATION_DELAY, "4100ms");
    assertEquals(List.of(), plan().warnings());
  }

  @Test
  void warning_stepWithMoreTimeThanItsPhase_saysWhichSettingBoundsIt() {
    set(Setting.CLOSE_TIMEOUT, "2s");
    Step step = Step.of(Phase.CLOSE_CONNECTIONS, "pool", context -> {});
    ShutdownPlan plan = plan();
    assertEquals(Optional.empty(), plan.warning(step));
    assertEquals(Optional.empty(), plan.warning(step.withTimeout(Duration.ofSeconds(2))));
    assertEquals(
        Optional.of(
            "step 'pool' has a timeout of 5s, and is cut off with its phase, CLOSE_CONNECTIONS:"
                + " close-timeout=2s. Raise that, or shorten the step"),
        plan.warning(step.withTimeout(Duration.ofSeconds(5))));
  }

  @Test
  void warning_closerThatFitsWhatDrainMayLeave_isNotToldUnlessATimeoutIsSet() {
    Step step = Step.of(Phase.CLOSE_CONNECTIONS, "pool", context -> {});
    assertEquals(Optional.empty(), plan().warning(step.withTimeout(Duration.ofSeconds(13))));
    assertTrue(plan().warning(step.withTimeout(Duration.ofSeconds(14))).isPresent());
    set(Setting.CLOSE_TIMEOUT, "3s");
    assertTrue(plan().warning(step.withTimeout(Duration.ofSeconds(13))).isPresent());
  }

  @Test
  void warning_stepOfAPhaseWithoutTime_isTold() {
    set(Setting.CLOSE_TIMEOUT, "0s");
    assertEquals(
        Optional.of(
            "step 'pool' needs some time, and is cut off with its phase, CLOSE_CONNECTIONS:"
                + " close-timeout=0s. Raise that, or shorten the step"),
        plan().warning(Step.of(Phase.CLOSE_CONNECTIONS, "pool", context -> {})));
  }

  @Test
  void warning_stepThatMayTakeThePropagationDelay_isTold() {
    Step step = Step.of(Phase.KEEP_SERVING, "registry", context -> {});
    set(Setting.PROPAGATION_DELAY, "5s");
    assertEquals(Optional.empty(), plan().warning(step));
    assertEquals(Optional.empty(), plan().warning(step.withTimeout(Duration.ofMillis(4900))));
    assertEquals(
        Optional.of(
            "step 'registry' has a timeout of 5s, and KEEP_SERVING lasts 5s: others may learn of it"
                + " too late. Raise propagation-delay=5s, or shorten the step"),
        plan().warning(step.withTimeout(Duration.ofSeconds(5))));
    set(Setting.PROPAGATION_DELAY, "0s");
    assertEquals(Optional.empty(), plan().warning(step.withTimeout(Duration.ofSeconds(5))));
  }

  @Test
  void table_everySetting_hasItsValueAndSourceInAlignedColumns() {
    set(Setting.GRACE_PERIOD, "1m");
    environment.put("LASTCALL_LATE_REQUESTS", "reject");
    List<String> rows = plan().table().lines().toList();
    assertEquals(Setting.all().size(), rows.size());
    int column = rows.get(0).indexOf("1m");
    assertEquals("  grace-period", rows.get(0).substring(0, column).stripTrailing());
    assertTrue(rows.get(0).endsWith(" code"));
    for (String row : rows) {
      assertEquals(' ', row.charAt(column - 1), row);
      assertNotEquals(' ', row.charAt(column), row);
    }
    String late =
        rows.stream().filter(row -> row.contains("late-requests")).findAny().orElseThrow();
    assertTrue(late.endsWith(" environment LASTCALL_LATE_REQUESTS"), late);
    assertTrue(late.startsWith("REJECT ", column), late);
  }

  @Test
  void stay_isFromTheEndOfPropagationToTheHalt() {
    assertEquals(Optional.of("15s to 29s"), plan().stay(true));
    assertEquals(Optional.of("up to 29s"), plan().stay(false));
    set(Setting.PROPAGATION_DELAY, "12s");
    set(Setting.PROPAGATION_MINIMUM, "3s");
    assertEquals(Optional.of("3s to 29s"), plan().stay(false));
  }

  @Test
  void stay_countsThePreStopHooksSleep() {
    set(Setting.PRE_STOP_DELAY, "5s");
    assertEquals(Optional.of("15s to 29s"), plan().stay(true));
  }

  @Test
  void stay_withoutADelay_isNotKnown() {
    set(Setting.PROPAGATION_DELAY, "0s");
    assertEquals(Optional.empty(), plan().stay(true));
  }

  @Test
  void stay_outsideKubernetes_isNotKnown() {
    environment.clear();
    assertEquals(Optional.empty(), plan().stay(true));
  }
}
