package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock stands still in these tests: only an unpark can end a wait. */
@Timeout(120)
class GateWakeTest {
  private final ManualTicker ticker = new ManualTicker();
  private final GateControl control = new GateControl(ticker);
  private final RequestGate gate = control.gate();
  private final Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);

  private TestPermit entered() {
    TestPermit permit = new TestPermit("GET /");
    assertTrue(gate.enter(permit));
    return permit;
  }

  private Background<Boolean> drainer() {
    Background<Boolean> drainer = Background.run(() -> control.awaitIdle(deadline));
    ticker.awaitParked(drainer.thread());
    return drainer;
  }

  @Test
  void awaitIdle_lastExit_wakesTheDrainWithoutPolling() {
    TestPermit first = entered();
    TestPermit last = entered();
    Background<Boolean> drainer = drainer();
    assertTrue(first.release());
    assertFalse(drainer.isDone());
    assertTrue(last.release());
    assertTrue(drainer.result());
  }

  /** A request that ends when it is told to. */
  private TestPermit enteredAndAnswerable() {
    TestPermit permit =
        new TestPermit("GET /") {
          @Override
          protected boolean giveUp() {
            return true;
          }
        };
    assertTrue(gate.enter(permit));
    return permit;
  }

  private Background<Boolean> giveUp() {
    Background<Boolean> given =
        Background.run(
            () -> {
              control.giveUp(deadline);
              return true;
            });
    ticker.awaitParked(given.thread());
    return given;
  }

  @Test
  void giveUp_oneOfThemEndsByThat_waitsForThatOneOnly() {
    entered();
    TestPermit answers = enteredAndAnswerable();
    entered();
    Background<Boolean> given = giveUp();
    assertTrue(answers.release());
    assertTrue(given.result());
    assertEquals(2, gate.inFlight());
    assertFalse(control.isIdle());
    assertFalse(control.awaitIdle(Deadline.after(Duration.ZERO, ticker)));
  }

  @Test
  void giveUp_anotherRequestEndsMeanwhile_stillWaitsForThoseThatEndByIt() {
    TestPermit other = entered();
    TestPermit first = enteredAndAnswerable();
    TestPermit last = enteredAndAnswerable();
    Background<Boolean> given = giveUp();
    assertTrue(other.release());
    assertTrue(last.release());
    ticker.awaitParked(given.thread());
    assertFalse(given.isDone());
    assertTrue(first.release());
    assertTrue(given.result());
  }

  @Test
  void giveUp_newRequestsComeMeanwhile_areRefusedAndChangeNothing() {
    TestPermit answers = enteredAndAnswerable();
    Background<Boolean> given = giveUp();
    assertFalse(gate.enter(new TestPermit("GET /late")));
    assertFalse(given.isDone());
    assertTrue(answers.release());
    assertTrue(given.result());
  }

  @Test
  void giveUp_whoEndsByThatNeverDoes_endsAtTheDeadline() {
    enteredAndAnswerable();
    Background<Boolean> given = giveUp();
    ticker.advance(Duration.ofSeconds(10));
    assertTrue(given.result());
  }

  @Test
  void giveUp_requestsOfAnEventLoop_areWaitedForToo() {
    EventLoopPermits<Answerable> connection =
        new EventLoopPermits<>(gate, gate.accepted(null), Answerable::new);
    Answerable request = connection.take();
    assertTrue(request.enter());
    entered();
    Background<Boolean> given = giveUp();
    assertTrue(request.release());
    assertTrue(given.result());
  }

  private static final class Answerable extends EventLoopPermit {
    @Override
    protected boolean giveUp() {
      return true;
    }
  }

  @Test
  void giveUp_nobodyEndsByThat_waitsForNobody() {
    entered();
    control.giveUp(deadline);
    assertEquals(1, gate.inFlight());
  }

  @Test
  void awaitIdle_neverIdle_endsAtTheDeadline() {
    entered();
    Background<Boolean> drainer = drainer();
    ticker.advance(Duration.ofSeconds(10));
    assertFalse(drainer.result());
  }

  @Test
  void awaitIdle_refusedEntryIsTheLastToLeave_wakesTheDrain() {
    // An entry that was counted before the last exit's scan, and is taken back after it: the state
    // between count and test of a newcomer, held still.
    int stripe = gate.counters.stripe();
    TestPermit last = entered();
    Background<Boolean> drainer = drainer();
    control.refuse();
    gate.counters.start(stripe);
    assertTrue(last.release());
    assertFalse(drainer.isDone());
    assertEquals(1, gate.inFlight());
    gate.counters.finish(stripe);
    assertFalse(gate.enter(new TestPermit("GET /late")));
    assertTrue(drainer.result());
  }

  @Test
  void awaitIdle_manyRacesOfLastExitWithRefusedEntries_isNeverMissed() {
    for (int round = 0; round < 300; round++) {
      GateControl fresh = new GateControl(ticker);
      TestPermit last = new TestPermit("GET /");
      assertTrue(fresh.gate().enter(last));
      Background<Boolean> drainer = Background.run(() -> fresh.awaitIdle(deadline));
      Background<Boolean> late =
          Background.run(
              () -> {
                boolean admitted = false;
                for (int i = 0; i < 50; i++) {
                  TestPermit permit = new TestPermit("GET /late");
                  admitted |= fresh.gate().enter(permit);
                  permit.release();
                }
                return admitted;
              });
      fresh.refuse();
      assertTrue(last.release());
      // The clock stands still: a lost wake-up would hang here.
      assertTrue(drainer.result());
      late.result();
      assertEquals(0, fresh.gate().inFlight());
    }
  }
}
