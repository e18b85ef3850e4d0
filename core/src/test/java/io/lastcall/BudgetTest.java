package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.phase.Trigger.Kind;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The plan is the harness's: see there. */
class BudgetTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Deadline start = Deadline.after(Duration.ZERO, ticker);

  private Budget budget(Kind kind) {
    Harness harness = new Harness();
    return new Budget(harness.builder().plan(), kind, start);
  }

  private long at(Deadline deadline) {
    return Duration.ofNanos(deadline.nanos() - start.nanos()).toMillis();
  }

  @Test
  void ends_nothingSpent_areTheOnesOfThePlan() {
    Budget budget = budget(Kind.STOP_SIGNAL);
    assertEquals(15_000, at(budget.keepServingEnd()));
    assertEquals(29_000, at(budget.halt()));
    assertEquals(24_750, at(budget.drainLatest()));
    ticker.advance(Duration.ofSeconds(15));
    assertEquals(15_000, at(budget.holdEnd()));
    assertEquals(24_750, at(budget.drainEnd(false)));
    assertEquals(18_250, at(budget.closeEnd(false)));
    assertEquals(28_000, at(budget.closeEnd(true)));
    assertEquals(16_000, at(budget.exitEnd()));
    assertEquals(16_000, at(budget.publishEnd()));
    assertEquals(16_000, at(budget.probesEnd()));
  }

  @Test
  void ends_everythingLate_keepWhatThePhasesBehindAreOwed() {
    Budget budget = budget(Kind.STOP_SIGNAL);
    ticker.advance(Duration.ofSeconds(24));
    assertEquals(24_750, at(budget.drainEnd(false)));
    ticker.advance(Duration.ofSeconds(2));
    assertEquals(28_000, at(budget.closeEnd(false)));
    ticker.advance(Duration.ofSeconds(2));
    assertEquals(28_250, at(budget.exitEnd()));
    assertEquals(28_500, at(budget.publishEnd()));
    assertEquals(28_550, at(budget.probesEnd()));
  }

  /** DRAIN, that is: it answers what it gives up, and a busy machine takes its time for that. */
  @Test
  void ends_beyondWhatExitIsOwed_shareWhatIsLeft() {
    Budget budget = budget(Kind.STOP_SIGNAL);
    ticker.advance(Duration.ofMillis(28_600));
    assertEquals(28_700, at(budget.exitEnd()));
    ticker.advance(Duration.ofMillis(100));
    assertEquals(28_775, at(budget.publishEnd()));
  }

  @Test
  void ends_delayWasShort_giveTheRestToTheDrain() {
    Budget budget = budget(Kind.REQUEST);
    ticker.advance(Duration.ofSeconds(10));
    assertEquals(24_750, at(budget.drainEnd(false)));
  }

  @Test
  void ends_jvmExits_haveAShortDrainAndNoDelay() {
    Budget budget = budget(Kind.JVM_EXIT);
    assertEquals(Duration.ZERO, budget.keepServing());
    assertEquals(0, at(budget.keepServingEnd()));
    assertEquals(5_000, at(budget.drainEnd(false)));
    assertEquals(3_250, at(budget.closeEnd(true)));
  }

  @Test
  void drainEnd_jvmExitsAndDrainTimeoutIsLess_isThatTimeout() {
    Harness harness = new Harness();
    harness.builder().drainTimeout(Duration.ofSeconds(2));
    Budget budget = new Budget(harness.builder().plan(), Kind.JVM_EXIT, start);
    assertEquals(2_000, at(budget.drainEnd(false)));
    assertEquals(2_000, at(budget.drainEnd(true)));
  }

  @Test
  void closeEnd_timeoutWasSet_isThatForClosersToo() {
    Harness harness = new Harness();
    harness.builder().closeTimeout(Duration.ofSeconds(3));
    Budget budget = new Budget(harness.builder().plan(), Kind.STOP_SIGNAL, start);
    ticker.advance(Duration.ofSeconds(15));
    assertEquals(18_000, at(budget.closeEnd(true)));
  }

  /** EXIT's own time is too short to answer very many requests that are given up. */
  @Test
  void drainEnd_nothingToClose_takesTheTimeKeptForClosingButForItsLastAnswers() {
    Budget budget = budget(Kind.STOP_SIGNAL);
    ticker.advance(Duration.ofSeconds(15));
    assertEquals(27_600, at(budget.drainEnd(true)));
  }

  @Test
  void drainEnd_nothingToCloseInAShortGracePeriod_keepsHalfOfTheTimeKeptForClosing() {
    Harness harness = new Harness();
    harness.builder().closeTimeout(Duration.ofMillis(300));
    Budget budget = new Budget(harness.builder().plan(), Kind.STOP_SIGNAL, start);
    assertEquals(27_850, at(budget.drainEnd(true)));
  }

  @Test
  void stepsEnd_ofAPhaseThatEndsByTheClock_leavesDrainHalfOfItsTimeAndKeepsNobodyInAHurry() {
    Budget routers = budget(Kind.STOP_SIGNAL);
    assertEquals(17_437, at(routers.keepServingStepsEnd()));
    assertEquals(19_875, at(routers.holdStepsEnd()));
    Budget person = budget(Kind.INTERRUPT);
    assertEquals(2_500, at(person.keepServingStepsEnd()));
    assertEquals(5_000, at(person.holdStepsEnd()));
  }

  @Test
  void ends_interrupt_haveTheWholeDrainAndNoDelay() {
    Budget budget = budget(Kind.INTERRUPT);
    assertEquals(0, at(budget.keepServingEnd()));
    assertEquals(24_750, at(budget.drainEnd(false)));
  }
}
