package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GateTest {
  private final ManualTicker ticker = new ManualTicker();
  private final GateControl control = new GateControl(ticker);
  private final RequestGate gate = control.gate();
  private final Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);

  private TestPermit entered() {
    TestPermit permit = new TestPermit("GET /");
    assertTrue(gate.enter(permit));
    return permit;
  }

  private boolean isIdle() {
    return control.awaitIdle(Deadline.after(Duration.ZERO, ticker));
  }

  @Test
  void enter_open_admitsAndCounts() {
    TestPermit permit = entered();
    assertEquals(1, gate.inFlight());
    assertTrue(permit.release());
    assertEquals(0, gate.inFlight());
    assertEquals(1, control.started());
    assertEquals(1, control.finished());
    assertEquals(0, control.refused());
  }

  @Test
  void release_twice_countsOnce() {
    TestPermit permit = entered();
    TestPermit other = entered();
    assertTrue(permit.release());
    assertFalse(permit.release());
    assertEquals(1, gate.inFlight());
    assertFalse(isIdle());
    assertTrue(other.release());
    assertTrue(isIdle());
  }

  @Test
  void release_neverAdmitted_countsNothing() {
    assertFalse(new TestPermit("GET /").release());
    assertEquals(0, control.finished());
  }

  @Test
  void release_byAnotherThread_countsOut() {
    TestPermit permit = entered();
    assertTrue(Background.run(permit::release).result());
    assertTrue(isIdle());
  }

  @Test
  void permit_usedAgainForTheNextRequest_isAdmittedAgain() {
    TestPermit permit = entered();
    assertTrue(permit.release());
    assertTrue(gate.enter(permit));
    assertEquals(1, gate.inFlight());
    assertTrue(permit.release());
    assertFalse(permit.release());
    assertEquals(2, control.finished());
  }

  @Test
  void enter_refusing_countsFirstTestsThenTakesBack() {
    control.refuse();
    TestPermit late = new TestPermit("GET /late");
    assertFalse(gate.enter(late));
    assertFalse(late.release());
    assertEquals(1, control.started());
    assertEquals(1, control.finished());
    assertEquals(1, control.refused());
    assertTrue(isIdle());
  }

  @Test
  void enter_drainingWithoutRefuse_isStillAdmitted() {
    assertTrue(isIdle());
    TestPermit late = entered();
    assertEquals(0, control.refused());
    assertFalse(isIdle());
    assertTrue(late.release());
  }

  @Test
  void enter_closed_isRefused() {
    control.close();
    assertFalse(gate.enter(new TestPermit("GET /")));
    assertEquals(1, control.refused());
  }

  @Test
  void refuse_afterClose_doesNotOpenAgain() {
    control.close();
    control.refuse();
    assertTrue(isIdle());
    assertEquals(RequestGate.Mode.CLOSED, gate.mode);
  }

  @Test
  void refuse_admittedOnes_goOn() {
    TestPermit permit = entered();
    control.refuse();
    assertEquals(1, gate.inFlight());
    assertFalse(isIdle());
    assertTrue(permit.release());
    assertTrue(isIdle());
  }

  @Test
  void lastArrival_nobodyCame_isEmpty() {
    TestPermit before = entered();
    control.leave(Duration.ofSeconds(1));
    assertTrue(before.release());
    assertEquals(Optional.empty(), control.lastArrival());
  }

  @Test
  void lastArrival_leavingBeganBehindTheTrigger_isCountedFromTheTrigger() {
    Deadline trigger = Deadline.after(Duration.ZERO, ticker);
    ticker.advance(Duration.ofMillis(90));
    control.leave(trigger, Duration.ofSeconds(1));
    ticker.advance(Duration.ofMillis(10));
    entered();
    assertEquals(Optional.of(Duration.ofMillis(100)), control.lastArrival());
  }

  @Test
  void lastArrival_severalCame_isTheTimeOfTheLastAfterTheTrigger() {
    ticker.advance(Duration.ofSeconds(5));
    control.leave(Duration.ofSeconds(1));
    ticker.advance(Duration.ofSeconds(1));
    entered();
    ticker.advance(Duration.ofSeconds(1));
    entered();
    ticker.advance(Duration.ofSeconds(1));
    assertEquals(Optional.of(Duration.ofSeconds(2)), control.lastArrival());
  }

  @Test
  void lastConnection_withoutANewOneThatBroughtARequest_isEmpty() {
    AcceptedConnection before = gate.accepted(null);
    control.leave(Duration.ofSeconds(1));
    gate.cameBy(before);
    ticker.advance(Duration.ofSeconds(1));
    AcceptedConnection silent = gate.accepted(null);
    assertTrue(before.acceptTime < 0 && silent.acceptTime > 0);
    assertEquals(Optional.empty(), control.lastConnection());
  }

  @Test
  void lastConnection_severalBroughtRequests_isWhenTheLastOfThemWasAccepted() {
    control.leave(Duration.ofSeconds(1));
    ticker.advance(Duration.ofSeconds(1));
    AcceptedConnection first = gate.accepted(null);
    ticker.advance(Duration.ofSeconds(1));
    AcceptedConnection second = gate.accepted(null);
    ticker.advance(Duration.ofSeconds(1));
    gate.cameBy(second);
    gate.cameBy(first);
    assertEquals(Optional.of(Duration.ofSeconds(2)), control.lastConnection());
  }

  @Test
  void running_inFlight_listsDescriptionAgeAndThread() {
    Thread worker = Thread.currentThread();
    TestPermit permit = new TestPermit("GET /orders", worker);
    assertTrue(gate.enter(permit));
    InFlightRequest listed = control.running().get(0);
    assertEquals("GET /orders", listed.description());
    assertEquals(Optional.of(Duration.ofMillis(1500)), listed.age());
    assertEquals(Optional.of(worker), listed.thread());
    assertTrue(permit.release());
    assertEquals(List.of(), control.running());
  }

  /** A decoded path may hold what the client likes: a line of the log that nobody wrote, say. */
  @Test
  void running_descriptionWithControlCharacters_isOneLine() {
    assertTrue(gate.enter(new TestPermit("GET /a\n2026 INFO all is well\u001b[2J\u0085")));
    assertEquals("GET /a?2026 INFO all is well?[2J?", control.running().get(0).description());
  }

  @Test
  void running_moreThanTheRowHolds_countsAndListsAll() {
    List<TestPermit> permits = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      permits.add(entered()); // one thread, so one row of 32
    }
    assertEquals(40, gate.inFlight());
    assertEquals(40, control.running().size());
    permits.forEach(permit -> assertTrue(permit.release()));
    assertEquals(0, gate.inFlight());
    assertEquals(List.of(), control.running());
    assertTrue(control.awaitIdle(deadline));
  }

  @Test
  void giveUp_moreThanTheRowHolds_tellsEach() {
    List<Answerable> permits =
        IntStream.range(0, 40).mapToObj(i -> new Answerable(Duration.ZERO)).toList();
    permits.forEach(permit -> assertTrue(gate.enter(permit)));

    control.giveUp(deadline);

    assertEquals(40, permits.stream().filter(permit -> permit.told).count());
    assertEquals(0, gate.inFlight());
  }

  @Test
  void giveUp_moreThanThereIsTimeFor_tellsThoseThatThereIs() {
    List<Answerable> permits =
        IntStream.range(0, 600).mapToObj(i -> new Answerable(Duration.ofMillis(1))).toList();
    permits.forEach(permit -> assertTrue(gate.enter(permit)));

    control.giveUp(Deadline.after(Duration.ofMillis(150), ticker));

    assertEquals(150, permits.stream().filter(permit -> permit.told).count());
    assertEquals(450, gate.inFlight());
  }

  @Test
  void refused_neverListed() {
    control.refuse();
    assertFalse(gate.enter(new TestPermit("GET /late")));
    assertEquals(List.of(), control.running());
  }

  /** Ends as soon as it is told that nothing waits for it any more. */
  private final class Answerable extends Permit {
    private final Duration takes;
    boolean told;

    Answerable(Duration takes) {
      this.takes = takes;
    }

    @Override
    protected boolean giveUp() {
      ticker.advance(takes);
      told = true;
      return release();
    }
  }
}
