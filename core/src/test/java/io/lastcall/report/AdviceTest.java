package io.lastcall.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Trigger.Kind;
import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdviceTest {
  private static List<String> texts(Reports report) {
    return report.build().advice().stream().map(Advice::text).toList();
  }

  private static Optional<Duration> after(long millis) {
    return Optional.of(Duration.ofMillis(millis));
  }

  @Test
  void advice_lastRequestLongBeforeTheDelay_saysWhatWouldHaveBeenEnough() {
    assertEquals(
        List.of(
            "last new request 6.2 s after the trigger; propagation delay 15 s; 9 s would have been"
                + " enough this time"),
        texts(Reports.clean()));
  }

  @Test
  void advice_namesTheNumbersItRestsOn() {
    Advice advice = Reports.clean().build().advice().get(0);

    assertEquals(Advice.Kind.SHORTER_DELAY_WAS_ENOUGH, advice.kind());
    assertEquals(
        Map.of(
            "lastArrival", Duration.ofMillis(6_200),
            "propagationDelay", Duration.ofSeconds(15),
            "preStopDelay", Duration.ZERO,
            "enough", Duration.ofSeconds(9)),
        advice.evidence());
  }

  @Test
  void advice_preStopSleepBeforeTheSignal_countsAsPropagation() {
    assertEquals(
        List.of(
            "last new request 1 s after the trigger; propagation delay 15 s (5 s of it preStop); 9 s"
                + " would have been enough this time"),
        texts(
            Reports.clean().setting("LASTCALL_PRE_STOP_DELAY", "5s").requests(0, 0, after(1_000))));
  }

  @Test
  void advice_requestsAfterTheDelay_saysRaiseIt() {
    assertEquals(
        List.of(
            "3 requests arrived after the delay had ended at 15 s, the last 17.3 s after the"
                + " trigger: raise propagation-delay to 23 s"),
        texts(Reports.clean().requests(2, 1, after(17_300))));
  }

  @Test
  void advice_raisedDelayThatDoesNotFit_saysRaiseTheGracePeriodToo() {
    assertEquals(
        List.of(
            "1 request arrived after the delay had ended at 15 s, the last 23 s after the trigger:"
                + " raise propagation-delay to 30 s, and grace-period to 33 s"),
        texts(Reports.clean().requests(1, 0, after(23_000))));
  }

  @Test
  void advice_lastRequestJustBeforeTheEnd_saysThatItWasClose() {
    assertEquals(
        List.of(
            "last new request 14.2 s after the trigger; propagation delay 15 s; that was close,"
                + " raise it to 19 s"),
        texts(Reports.clean().requests(0, 0, after(14_200))));
  }

  @Test
  void advice_lastRequestWithinTheHold_saysThatTheDelayIsTight() {
    assertEquals(
        List.of(
            "last new request 16 s after the trigger; propagation delay 15 s; that was close, raise"
                + " it to 21 s"),
        texts(
            Reports.clean()
                .setting("LASTCALL_READINESS_HOLD", "2s")
                .requests(1, 0, after(16_000))));
  }

  @Test
  void advice_enoughIsTheDelay_saysNothing() {
    assertEquals(List.of(), texts(Reports.clean().requests(0, 0, after(11_200))));
  }

  @Test
  void advice_noRequestAfterTheTrigger_saysNothing() {
    assertEquals(List.of(), texts(Reports.clean().requests(0, 0, Optional.empty())));
  }

  @Test
  void advice_keepServingSkipped_saysNothingOfTheDelay() {
    assertEquals(List.of(), texts(Reports.clean().trigger(Kind.INTERRUPT, "SIGINT")));
    assertEquals(List.of(), texts(Reports.clean().trigger(Kind.JVM_EXIT, "System.exit")));
  }

  @Test
  void advice_outsideKubernetes_saysNothingOfTheDelay() {
    assertEquals(List.of(), texts(Reports.clean().outsideKubernetes().requests(3, 0, after(20))));
  }

  @Test
  void advice_delayIsSetToZero_saysRaiseIt() {
    assertEquals(
        List.of(
            "3 requests arrived after the delay had ended at 0 ms, the last 20 ms after the"
                + " trigger: raise propagation-delay to 2 s"),
        texts(
            Reports.clean().setting("LASTCALL_PROPAGATION_DELAY", "0s").requests(3, 0, after(20))));
  }

  @Test
  void advice_exitOfSomebodyElseTookLong_saysNothingOfTheGracePeriod() {
    assertEquals(
        List.of(),
        texts(
            Reports.clean().trigger(Kind.JVM_EXIT, "System.exit").took(Duration.ofMillis(28_100))));
  }

  @Test
  void advice_adaptiveDelay_isNotToldToBeShorter() {
    assertEquals(List.of(), texts(Reports.clean().setting("LASTCALL_PROPAGATION_MINIMUM", "5s")));
  }

  @Test
  void advice_drainTimedOut_namesTheRequests() {
    assertEquals(
        List.of(
            "DRAIN timed out after 9.8 s with 2 requests still running: GET /slow (31 s old), POST"
                + " /export (450 ms old); bound them, or raise grace-period"),
        texts(
            Reports.incomplete()
                .requests(0, 0, Optional.empty())
                .unfinished("GET /slow", 31_000)
                .unfinished("POST /export", 450)));
  }

  @Test
  void advice_requestsLostToAnExitOnTheirThread_areNotSaidToHaveOutlivedDrain() {
    assertEquals(
        List.of(), texts(Reports.clean().trigger(Kind.JVM_EXIT, "System.exit").abandoned(2)));
  }

  @Test
  void advice_drainTimeoutIsSet_saysRaiseThat() {
    String text =
        texts(
                Reports.incomplete()
                    .setting("LASTCALL_DRAIN_TIMEOUT", "5s")
                    .requests(0, 0, Optional.empty())
                    .unfinished("GET /slow", 31_000))
            .get(0);
    assertTrue(text.endsWith("; bound them, or raise drain-timeout"), text);
  }

  @Test
  void advice_drainTimedOutInAnExitOfSomebodyElse_namesItsSetting() {
    String text =
        texts(
                Reports.incomplete()
                    .trigger(Kind.JVM_EXIT, "System.exit")
                    .requests(0, 0, Optional.empty())
                    .unfinished("GET /slow", 31_000))
            .get(0);
    assertTrue(text.endsWith("; bound them, or raise exit-drain-timeout"), text);
  }

  @Test
  void advice_manyUnfinishedRequests_namesFive() {
    Reports report = Reports.incomplete().requests(0, 0, Optional.empty());
    for (int i = 0; i < 7; i++) {
      report.unfinished("GET /" + i, 1_000);
    }
    assertEquals(
        List.of(
            "DRAIN timed out after 9.8 s with 7 requests still running: GET /0 (1 s old), GET /1 (1"
                + " s old), GET /2 (1 s old), GET /3 (1 s old), GET /4 (1 s old), ...; bound them,"
                + " or raise grace-period"),
        texts(report));
  }

  @Test
  void advice_moreUnfinishedRequestsThanAreListed_countsThemAll() {
    assertEquals(
        List.of(
            "DRAIN timed out after 9.8 s with 2345 requests still running: GET /slow (31 s old),"
                + " ...; bound them, or raise grace-period"),
        texts(
            Reports.incomplete()
                .requests(0, 0, Optional.empty())
                .unfinished("GET /slow", 31_000)
                .abandoned(2_345)));
  }

  @Test
  void advice_unfinishedRequestIsNotListed_isAdviceAllTheSame() {
    assertEquals(
        List.of(
            "DRAIN timed out after 9.8 s with 1 request still running; bound them, or raise"
                + " grace-period"),
        texts(Reports.incomplete().requests(0, 0, Optional.empty()).abandoned(1)));
  }

  @Test
  void advice_endedTooEarly_saysRaiseTheMinimum() {
    assertEquals(
        List.of(
            "1 request arrived after the delay had ended at 8 s, the last 9 s after the trigger:"
                + " raise propagation-minimum to 13 s"),
        texts(endedAtEightSeconds().requests(1, 0, after(9_000))));
  }

  @Test
  void advice_endedTooEarlyAndNoMinimumWouldDo_saysRaiseTheDelayToo() {
    assertEquals(
        List.of(
            "1 request arrived after the delay had ended at 8 s, the last 16 s after the trigger:"
                + " raise propagation-delay and propagation-minimum to 21 s"),
        texts(endedAtEightSeconds().requests(1, 0, after(16_000))));
  }

  @Test
  void advice_adaptiveDelayWaitedToItsEnd_saysRaiseTheDelay() {
    assertEquals(
        List.of(
            "1 request arrived after the delay had ended at 15 s, the last 17.3 s after the"
                + " trigger: raise propagation-delay to 23 s"),
        texts(
            Reports.clean()
                .setting("LASTCALL_PROPAGATION_MINIMUM", "5s")
                .requests(1, 0, after(17_300))));
  }

  private static Reports endedAtEightSeconds() {
    return Reports.clean()
        .setting("LASTCALL_PROPAGATION_MINIMUM", "5s")
        .keepServingEndedEarlyBy(Duration.ofSeconds(7));
  }

  @Test
  void advice_severalThings_mostImportantFirst() {
    assertEquals(
        List.of(
            "DRAIN timed out after 9.8 s with 1 request still running: GET /slow (31 s old); bound"
                + " them, or raise grace-period",
            "1 request arrived after the delay had ended at 15 s, the last 17.3 s after the"
                + " trigger: raise propagation-delay to 23 s",
            "step 'consumers' of DRAIN was cut off after 5 s: bound what it waits for, or give it"
                + " longer",
            "2 long-lived connections did not close when told; close-timeout 3.3 s",
            "took 28.1 s of the 29 s until the process is halted; grace-period 30 s"),
        texts(
            Reports.incomplete()
                .requests(1, 0, after(17_300))
                .took(Duration.ofMillis(28_100))
                .unfinished("GET /slow", 31_000)
                .step("consumers", Result.TIMED_OUT, Optional.empty())
                .connections(Map.of("websocket", 5L), 2)));
  }
}
