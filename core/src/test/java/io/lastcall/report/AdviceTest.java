package io.lastcall.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.phase.Trigger.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdviceTest {
  private static List<String> texts(Reports report) {
    return report.build().advice();
  }

  private static void assertAdvice(String text, Reports report) {
    assertEquals(List.of(text), texts(report));
  }

  @Test
  void advice_lastConnectionLongBeforeTheDelay_saysWhatWouldHaveBeenEnough() {
    assertAdvice(
        "last new connection 6.2 s after the trigger; propagation delay 15 s; 9 s would have been"
            + " enough this time",
        Reports.clean().lastConnection(6_200));
  }

  @Test
  void advice_lastConnectionBeforeEveryResponseSaidClose_isNoReasonForLessThanHalf() {
    assertAdvice(
        "last new connection 20 ms after the trigger; propagation delay 15 s; 8 s would have been"
            + " enough this time",
        Reports.clean().lastConnection(20));
  }

  @Test
  void advice_preStopSleepBeforeTheSignal_countsAsPropagation() {
    assertAdvice(
        "last new connection 1 s after the trigger; propagation delay 15 s (5 s of it preStop); 9 s"
            + " would have been enough this time",
        Reports.clean().setting("LASTCALL_PRE_STOP_DELAY", "5s").lastConnection(1_000));
  }

  @Test
  void advice_lastConnectionJustBeforeTheEnd_saysRaiseTheDelay() {
    assertAdvice(
        "last new connection 14.2 s after the trigger; propagation delay 15 s; raise it to 19 s (a quarter and a second more than seen)",
        Reports.clean().lastConnection(14_200));
  }

  /** With a hold, a connection just before the delay's end has time enough. */
  @Test
  void advice_lastConnectionJustBeforeTheHold_saysNothing() {
    assertEquals(
        List.of(),
        texts(Reports.clean().setting("LASTCALL_READINESS_HOLD", "5s").lastConnection(14_200)));
  }

  /** A container that ends and whose pod stays: routers leave when readiness fails. */
  @Test
  void advice_connectionsAfterTheDelay_namesTheHoldAndNotTheDelay() {
    assertAdvice(
        "new connections came until 2.3 s after readiness had failed at 15 s; raise readiness-hold"
            + " to 4 s (a quarter and a second more than seen): routers that go by readiness leave only then, however long the delay",
        Reports.clean().requests(2, 1).lastConnection(17_300));
  }

  private static final String HOLD_OF_14 =
      "new connections came until 9.9 s after readiness had failed at 15 s; raise readiness-hold"
          + " to 14 s (a quarter and a second more than seen): routers that go by readiness leave"
          + " only then, however long the delay";

  /** A monitoring agent asks the Pod to the end, and no failed readiness sends it away. */
  @Test
  void advice_oneClientSinceReadinessFailed_isNamed() throws Exception {
    String named =
        ". Since readiness failed they came from 10.1.2.3 alone: if it goes straight to the Pod,"
            + " as a scraper does, no hold is needed";
    Reports report = Reports.clean().lastConnection(24_900);
    assertAdvice(HOLD_OF_14 + named, report.lastClient("10.1.2.3", Optional.empty()));
    assertAdvice(HOLD_OF_14 + named, report.lastClient("10.1.2.3", Optional.of(14_900L)));
    assertAdvice(HOLD_OF_14 + named, report.lastClient("10.1.2.3", Optional.of(15_000L)));
  }

  @Test
  void advice_oneClientAtTheEnd_isNamedWithTheHoldOfTheOthers() throws Exception {
    assertAdvice(
        HOLD_OF_14
            + ". After 3 s they came from fd00:0:0:0:0:0:0:7 alone: if it goes straight to the"
            + " Pod, as a scraper does, 5 s is enough",
        Reports.clean().lastConnection(24_900).lastClient("fd00::7", Optional.of(18_000L)));
  }

  @Test
  void advice_othersCameNearlyAsLong_namesNobody() throws Exception {
    assertAdvice(
        HOLD_OF_14,
        Reports.clean().lastConnection(24_900).lastClient("10.1.2.3", Optional.of(24_700L)));
  }

  /** A balancer that takes 8 s to see that readiness failed: the last one comes at delay + 8 s. */
  @Test
  void advice_taken_isGivenNoMore() {
    Reports first = Reports.clean().setting("LASTCALL_READINESS_HOLD", "5s").lastConnection(23_000);
    assertAdvice(
        "new connections came until 8 s after readiness had failed at 15 s; raise readiness-hold to"
            + " 11 s (a quarter and a second more than seen): routers that go by readiness leave only then, however long the delay",
        first);
    assertEquals(List.of(), texts(first.setting("LASTCALL_READINESS_HOLD", "11s")));

    Reports tight = Reports.clean().lastConnection(14_200);
    assertEquals(
        List.of(),
        texts(tight.setting("LASTCALL_PROPAGATION_DELAY", "19s").lastConnection(14_200)));
  }

  @Test
  void advice_connectionsAfterTheDelayWhenReadinessHadFailedLongBefore_saysRaiseTheDelay() {
    Reports report =
        Reports.clean()
            .setting("LASTCALL_READINESS_POLICY", "IMMEDIATE")
            .setting("LASTCALL_READINESS_HOLD", "2s")
            .lastConnection(18_000);
    assertAdvice(
        "last new connection 18 s after the trigger; propagation delay 15 s; raise it to 22 s (a quarter and a second more than seen, less the hold)",
        report);
    assertEquals(
        List.of(),
        texts(
            report
                .setting("LASTCALL_GRACE_PERIOD", "60s")
                .setting("LASTCALL_PROPAGATION_DELAY", "22s")));
  }

  @Test
  void advice_lastConnectionUsesTheDelayUp_saysNothing() {
    assertEquals(List.of(), texts(Reports.clean().lastConnection(11_200)));
  }

  /** An older connection's last request only follows our own Connection: close. */
  @Test
  void advice_noNewConnection_saysNothing() {
    assertEquals(List.of(), texts(Reports.clean().noNewConnection()));
  }

  @Test
  void advice_keepServingSkipped_saysNothingOfTheDelay() {
    assertEquals(List.of(), texts(Reports.clean().trigger(Kind.INTERRUPT, "SIGINT")));
    assertEquals(List.of(), texts(Reports.clean().trigger(Kind.JVM_EXIT, "System.exit")));
  }

  @Test
  void advice_outsideKubernetes_saysNothingOfTheDelay() {
    assertEquals(List.of(), texts(Reports.clean().outsideKubernetes().lastConnection(20)));
  }

  @Test
  void advice_delayIsSetToZero_saysRaiseIt() {
    assertAdvice(
        "last new connection 20 ms after the trigger; propagation delay 0 ms; raise it to 2 s (a quarter and a second more than seen)",
        Reports.clean().setting("LASTCALL_PROPAGATION_DELAY", "0s").lastConnection(20));
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
  void advice_endedTooEarly_saysRaiseTheMinimum() {
    assertAdvice(
        "last new connection 9 s after the trigger; propagation delay 15 s; raise"
            + " propagation-minimum to 13 s (a quarter and a second more than seen)",
        endedAtEightSeconds().lastConnection(9_000));
  }

  /** The minimum is at most the delay. */
  @Test
  void advice_endedTooEarlyAndNoMinimumWouldDo_saysWaitAllOfTheDelay() {
    assertAdvice(
        "last new connection 16 s after the trigger; propagation delay 15 s; raise"
            + " propagation-minimum to 15 s, all of the delay",
        endedAtEightSeconds().lastConnection(16_000));
  }

  /** On a busy machine the phase begins some time after the trigger, and is shorter by that. */
  @Test
  void advice_fixedDelayBeganLate_namesNoMinimum() {
    assertAdvice(
        "new connections came until 300 ms after readiness had failed at 14.8 s; raise"
            + " readiness-hold to 2 s (a quarter and a second more than seen): routers that go by readiness leave only then, however long"
            + " the delay",
        Reports.clean().keepServingEndedEarlyBy(Duration.ofMillis(200)).lastConnection(15_100));
  }

  private static Reports endedAtEightSeconds() {
    return Reports.clean()
        .setting("LASTCALL_PROPAGATION_MINIMUM", "5s")
        .keepServingEndedEarlyBy(Duration.ofSeconds(7));
  }

  @Test
  void advice_gracePeriodIsTightToo_mostImportantFirst() {
    Reports report = Reports.clean().took(Duration.ofMillis(28_100));
    String tight = "took 28.1 s of the 29 s until the process is halted; grace-period 30 s";
    assertEquals(
        List.of(
            "new connections came until 2.3 s after readiness had failed at 15 s; raise"
                + " readiness-hold to 4 s (a quarter and a second more than seen): routers that go by readiness leave only then, however"
                + " long the delay",
            tight),
        texts(report.lastConnection(17_300)));
    assertEquals(
        List.of(
            tight,
            "last new connection 6.2 s after the trigger; propagation delay 15 s; 9 s would have"
                + " been enough this time"),
        texts(report.lastConnection(6_200)));
  }
}
