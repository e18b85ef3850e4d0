package io.lastcall.rollout.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.load.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BusyTest {
  private static Recorded losing() {
    return new Recorded().failed(1, 1, false, Outcome.REFUSED, "");
  }

  private static void assertReason(String words, Recorded run) {
    Optional<String> reason = run.busy();
    assertTrue(reason.filter(text -> text.contains(words)).isPresent(), reason::toString);
  }

  @Test
  void lossesOnAQuietMachine_areJudged() {
    assertEquals(Optional.empty(), losing().late(1, 0.09).stall(0.49).slowestProbe(0.9).busy());
  }

  @Test
  void losses_sentLate_areNot() {
    assertReason("1 % of them more than 110 ms (bound: 100)", losing().late(1, 0.11));
  }

  @Test
  void losses_oneSentVeryLate_areNot() {
    Recorded run = losing();
    for (int i = 0; i < 200; i++) {
      run.answered(1, false);
    }
    assertReason("one 1100 ms (bound: 1000)", run.late(1, 1.1));
  }

  @Test
  void losses_machineStalled_areNot() {
    assertReason("woke a sleeping thread 510 ms late (bound: 500)", losing().stall(0.51));
  }

  @Test
  void losses_serviceStarvedBeforeSigterm_areNot() {
    assertReason("took 1100 ms to answer about its readiness", losing().slowestProbe(1.1));
  }

  @Test
  void loss_sentIntoAnEndByTheTestsOwnDelay_isNotJudged() {
    assertReason("sent more than 20 ms after", new Recorded().sentIntoAnEnd(4, 0.021));
    assertEquals(Optional.empty(), new Recorded().sentIntoAnEnd(4, 0.019).busy());
    assertEquals(Optional.empty(), losing().sentIntoAnEnd(4, 0.021).busy(), "another is lost too");
  }

  @Test
  void loss_ofAKill_isJudged() {
    Recorded run = new Recorded().sentIntoAnEnd(4, 0.021).killed(Recorded.JVM, true);
    assertEquals(Optional.empty(), run.busy());
  }

  @Test
  void loss_refusedAfterItsRouterHadLeft_isTheTestsOwn() {
    assertReason(
        "that the router had left meanwhile",
        new Recorded().failed(0.9, 1.1, false, Outcome.REFUSED, ""));
    Recorded before = new Recorded().failed(0.8, 0.9, false, Outcome.REFUSED, "");
    assertEquals(Optional.empty(), before.busy());
    Recorded goAway = new Recorded().failed(0.9, 1.1, false, Outcome.REFUSED, "GOAWAY 1 refuses 3");
    assertEquals(Optional.empty(), goAway.busy());
  }

  @Test
  void loss_onAConnectionThatAPodEndsThatStays_isNotTheRollouts() {
    assertReason("that was not leaving", new Recorded().keptEndedElsewhere(2));
    assertEquals(Optional.empty(), losing().keptEndedElsewhere(2).busy(), "another is lost too");
    Recorded refused = new Recorded().failedElsewhere(2, Outcome.REFUSED);
    assertEquals(Optional.empty(), refused.busy());
  }

  /** No service can say close on a connection without a request, nor end it without that risk. */
  @Test
  void loss_crossesTheEndOfAnIdleConnection_whereEachAnswerSaysClose_isTheProtocols() {
    Recorded told = new Recorded().answered(0.4, false).answered(3, true);
    assertReason("nothing to say close on", told.failed(4, 4.09, true, Outcome.EOF, "closed"));
    Recorded some = new Recorded().answered(3, true).answered(3.5, false);
    assertEquals(Optional.empty(), some.failed(4, 4.01, true, Outcome.EOF, "closed").busy());
    Recorded none = new Recorded().answered(1, true);
    assertEquals(Optional.empty(), none.failed(4, 4.01, true, Outcome.EOF, "closed").busy());
    Recorded later = new Recorded().answered(3, true);
    assertEquals(Optional.empty(), later.failed(4, 4.11, true, Outcome.EOF, "closed").busy());
    Recorded cut = new Recorded().answered(3, true);
    assertEquals(Optional.empty(), cut.failed(4, 4.01, true, Outcome.TRUNCATED, "").busy());
    Recorded fresh = new Recorded().answered(3, true);
    assertEquals(Optional.empty(), fresh.failed(4, 4.01, false, Outcome.EOF, "closed").busy());
  }

  @Test
  void killOnABusyMachine_isNotJudged() {
    assertReason("woke a", new Recorded().killed(Recorded.JVM, true).answered(1, true).stall(2));
  }

  @Test
  void failuresBeforeSigterm_areNotTheShutdowns() {
    assertReason(
        "1 of 2 requests failed before the first SIGTERM (the first: GET /, timeout)",
        losing().answered(-1, false).failed(-2, -1, false, Outcome.TIMEOUT, ""));
  }

  @Test
  void podThatOutlivedItsGracePeriod_isNotGreen() {
    assertReason("gone only 33.4 s after SIGTERM", new Recorded().answered(1, true).gone(33.4));
    assertEquals(Optional.empty(), new Recorded().answered(1, true).gone(30.4).busy());
  }

  @Test
  void keptConnectionsEndedBeforeSigterm_areNamed() {
    assertReason(
        "as one with a short keep-alive timeout may",
        losing().failed(-2, -1, true, Outcome.RESET, ""));
  }

  @Test
  void nothingLost_machineBusy_isJudged() {
    assertEquals(Optional.empty(), new Recorded().answered(1, true).late(1, 5).stall(5).busy());
  }

  @Test
  void nothingSentToAPodThatLeaves_provesNothing() {
    assertReason("nothing was sent to pod 1 after its removal", new Recorded().answered(-1, false));
  }
}
