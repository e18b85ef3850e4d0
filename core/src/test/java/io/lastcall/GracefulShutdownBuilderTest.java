package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.plan.PlanValue;
import io.lastcall.plan.ReportLog;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class GracefulShutdownBuilderTest {

  @Test
  @SuppressWarnings("NullAway")
  void setters_null_isRefusedNamingTheSetting() {
    GracefulShutdownBuilder builder = new Harness().builder();
    Map<String, Executable> setters =
        Map.of(
            "grace-period", () -> builder.gracePeriod(null),
            "pre-stop-token", () -> builder.preStopToken(null),
            "report-file", () -> builder.reportFile(null),
            "stop-signals", () -> builder.stopSignals("TERM", null),
            "drain-timeout (app.yml)",
                () -> builder.configuration("drain-timeout", null, "app.yml"));
    setters.forEach(
        (name, setter) ->
            assertEquals(
                name + " must not be null",
                assertThrows(NullPointerException.class, setter).getMessage()));
  }

  /** Values that differ from every default and from each other. */
  @Test
  void setters_each_setTheirOwnSettingAndAllAreThere() {
    ShutdownPlan plan =
        new Harness()
            .builder()
            .gracePeriod(Duration.ofSeconds(120))
            .adaptivePropagation(Duration.ofSeconds(11), Duration.ofSeconds(21))
            .propagationRouters(12)
            .preStopDelay(Duration.ofSeconds(3))
            .preStopToken("0123456789abcdef")
            .readinessPolicy(ReadinessPolicy.IMMEDIATE)
            .readinessHold(Duration.ofSeconds(4))
            .drainTimeout(Duration.ofSeconds(31))
            .lateRequests(LateRequestPolicy.REJECT)
            .closeTimeout(Duration.ofSeconds(13))
            .exitTimeout(Duration.ofSeconds(8))
            .exitDrainTimeout(Duration.ofSeconds(9))
            .reserve(Duration.ofSeconds(14))
            .cleanExitCode(143)
            .stopSignals("TERM", "USR1")
            .reportLog(ReportLog.ONE_LINE)
            .reportFile(Path.of("/run/report.json"))
            .plan();

    Map<String, String> expected = new TreeMap<>();
    expected.put("grace-period", "2m");
    expected.put("propagation-delay", "21s");
    expected.put("propagation-minimum", "11s");
    expected.put("propagation-routers", "12");
    expected.put("pre-stop-delay", "3s");
    expected.put("readiness-policy", "IMMEDIATE");
    expected.put("readiness-hold", "4s");
    expected.put("drain-timeout", "31s");
    expected.put("late-requests", "REJECT");
    expected.put("close-timeout", "13s");
    expected.put("exit-timeout", "8s");
    expected.put("exit-drain-timeout", "9s");
    expected.put("reserve", "14s");
    expected.put("clean-exit-code", "143");
    expected.put("stop-signals", "TERM,USR1");
    expected.put("report-log", "ONE_LINE");
    expected.put("report-file", "/run/report.json");
    expected.put("pre-stop-token", "set");
    assertEquals(
        expected,
        plan.values().stream().collect(Collectors.toMap(PlanValue::name, PlanValue::text)));
    assertEquals(
        Set.of("code"),
        plan.values().stream().map(PlanValue::sourceText).collect(Collectors.toSet()));
  }
}
