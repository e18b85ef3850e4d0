package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Grace 30 s, delay 15 s, drain 9.75 s, close 3.25 s, exit 1 s, reserve 1 s. */
class BudgetTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Deadline start = Deadline.after(Duration.ZERO, ticker);

  private Budget budget(Kind kind) {
    return budget(kind, Map.of());
  }

  private Budget budget(Kind kind, Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(environment, new Properties()));
    return new Budget(() -> plan, kind, start, true, true);
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
    assertEquals(15_000, at(budget.holdEnd(false)));
    assertEquals(24_750, at(budget.drainEnd(false)));
    assertEquals(18_250, at(budget.closeEnd(false)));
    assertEquals(28_000, at(budget.closeEnd(true)));
    assertEquals(28_250, at(budget.exitEnd()));
    assertEquals(16_000, at(budget.publishEnd()));
    assertEquals(16_000, at(budget.probesEnd()));
  }

  /** A short time keeps a twentieth for the exit: little for a file where the processor is busy. */
  @Test
  void ends_shortTime_recordsHaveASecondWhereThereIsOne() {
    Budget budget = budget(Kind.STOP_SIGNAL, Map.of("LASTCALL_GRACE_PERIOD", "10s"));
    ticker.advance(Duration.ofSeconds(5));
    assertEquals(6_000, at(budget.publishEnd()));
    assertEquals(6_000, at(budget.probesEnd()));
    ticker.advance(Duration.ofSeconds(4));
    assertEquals(9_250, at(budget.publishEnd()));
    assertEquals(9_275, at(budget.probesEnd()));
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
    assertEquals(1_000, at(budget.exitEnd()));
  }

  @Test
  void closeEnd_timeoutWasSet_isThatForClosersToo() {
    Budget budget = budget(Kind.STOP_SIGNAL, Map.of("LASTCALL_CLOSE_TIMEOUT", "3s"));
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
    Budget budget = budget(Kind.STOP_SIGNAL, Map.of("LASTCALL_CLOSE_TIMEOUT", "300ms"));
    assertEquals(27_850, at(budget.drainEnd(true)));
  }

  @Test
  void stepsEnd_ofAPhaseThatEndsByTheClock_leavesDrainHalfOfItsTimeAndKeepsNobodyInAHurry() {
    Budget routers = budget(Kind.STOP_SIGNAL);
    assertEquals(17_437, at(routers.keepServingStepsEnd()));
    assertEquals(19_875, at(routers.holdStepsEnd(false)));
    Budget person = budget(Kind.INTERRUPT);
    assertEquals(2_500, at(person.keepServingStepsEnd()));
    assertEquals(5_000, at(person.holdStepsEnd(false)));
  }

  @Test
  void drainEnd_jvmExits_isNoLongerThanTheDrainTimeout() {
    Budget budget = budget(Kind.JVM_EXIT, Map.of("LASTCALL_DRAIN_TIMEOUT", "2s"));
    assertEquals(2_000, at(budget.drainEnd(false)));
  }

  @Test
  void keepServing_noRouterSendsHere_isNothingUnlessADelayWasSet() {
    Budget budget = budget(Kind.STOP_SIGNAL);
    assertEquals(
        Duration.ZERO, new Budget(budget.plans(), budget.kind(), start, false, true).keepServing());
    Budget set = budget(Kind.STOP_SIGNAL, Map.of("LASTCALL_PROPAGATION_DELAY", "4s"));
    assertEquals(
        Duration.ofSeconds(4),
        new Budget(set.plans(), set.kind(), start, false, true).keepServing());
  }

  /** No router ever sent here, whatever delay is set; a source gets its time to stop. */
  @Test
  void ends_startUpWasNotOver_haveNoDelayAndTheWholeDrain() {
    Budget set = budget(Kind.STOP_SIGNAL, Map.of("LASTCALL_PROPAGATION_DELAY", "15s"));
    Budget early = new Budget(set.plans(), set.kind(), start, false, false);
    assertEquals(0, at(early.keepServingEnd()));
    assertEquals(0, at(early.holdEnd(false)));
    assertEquals(24_750, at(early.drainEnd(false)));
    assertEquals(6_187, at(early.keepServingStepsEnd()));
  }

  @Test
  void holdEnd_routersStillSend_isHalfOfTheDrainsTimeAtMost() {
    Budget budget = budget(Kind.STOP_SIGNAL);
    ticker.advance(Duration.ofSeconds(15));
    assertEquals(19_875, at(budget.holdEnd(true)));
    Budget set = budget(Kind.STOP_SIGNAL, Map.of("LASTCALL_READINESS_HOLD", "2s"));
    assertEquals(17_000, at(set.holdEnd(true)));
    assertEquals(17_000, at(set.holdEnd(false)));
    Budget longer = budget(Kind.STOP_SIGNAL, Map.of("LASTCALL_GRACE_PERIOD", "90s"));
    assertEquals(25_000, at(longer.holdEnd(true)));
  }

  @Test
  void ends_interrupt_haveTheWholeDrainAndNoDelay() {
    Budget budget = budget(Kind.INTERRUPT);
    assertEquals(0, at(budget.keepServingEnd()));
    assertEquals(24_750, at(budget.drainEnd(false)));
  }
}
