package io.lastcall.drill;

import static io.lastcall.drill.Runs.GONE;
import static io.lastcall.drill.Runs.SECOND;
import static io.lastcall.drill.Runs.SIGTERM;
import static io.lastcall.drill.Runs.exchange;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerdictTest {
  private static final int LEARNS = 0;
  private static final int NEVER_LEARNS = 1;

  private static boolean isLost(DrillSettings settings, Exchange exchange) {
    RunResult run = Runs.run(Mode.LASTCALL, settings, Runs.CLEAN, exchange);
    return !run.with(List.of(Verdict.classify(exchange, run))).lost().isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"OK", "UNROUTABLE"},
      mode = EnumSource.Mode.EXCLUDE)
  void lost_whileEveryNodeLearns_isEveryFailure(Outcome outcome) {
    assertTrue(isLost(Runs.settings(), exchange(LEARNS, SIGTERM + SECOND, outcome)));
  }

  @Test
  void lost_neverCountsASuccess() {
    assertFalse(isLost(Runs.settings(), exchange(LEARNS, SIGTERM + SECOND, Outcome.OK)));
  }

  @ParameterizedTest
  @EnumSource(names = {"RESET", "EOF", "TRUNCATED", "WRONG_BODY", "OTHER_STATUS", "TIMEOUT"})
  void lost_withNodesThatNeverLearn_isEveryAcceptedRequestThatWasCut(Outcome outcome) {
    DrillSettings settings = Runs.settings("--never-leave=1");

    assertTrue(isLost(settings, exchange(NEVER_LEARNS, GONE - SECOND, outcome)));
  }

  @Test
  void lost_withNodesThatNeverLearn_excusesTheirRefusals() {
    DrillSettings settings = Runs.settings("--never-leave=1");

    assertFalse(isLost(settings, exchange(NEVER_LEARNS, GONE + SECOND, Outcome.REFUSED)));
    assertTrue(isLost(settings, exchange(LEARNS, SIGTERM + SECOND / 2, Outcome.REFUSED)));
  }

  @Test
  void lost_withNodesThatNeverLearn_isARefusalWithinTheDelay() {
    DrillSettings settings = Runs.settings("--never-leave=1", "--delay=2s");

    assertTrue(isLost(settings, exchange(NEVER_LEARNS, SIGTERM - SECOND, Outcome.REFUSED)));
    assertTrue(isLost(settings, exchange(NEVER_LEARNS, SIGTERM + SECOND, Outcome.REFUSED)));
    assertFalse(isLost(settings, exchange(NEVER_LEARNS, SIGTERM + 2 * SECOND, Outcome.REFUSED)));
  }

  @Test
  void lost_withNodesThatNeverLearn_excusesA503InTheLastStretchOnly() {
    DrillSettings settings =
        Runs.settings("--never-leave=1", "--grace=5s", "--delay=1s", "--last-stretch=2s");

    assertTrue(isLost(settings, exchange(LEARNS, SIGTERM + 2 * SECOND, Outcome.UNAVAILABLE)));
    assertFalse(isLost(settings, exchange(LEARNS, SIGTERM + 3 * SECOND, Outcome.UNAVAILABLE)));
  }

  @Test
  void classify_refusalAfterTheProcessHasGone_isUnroutable() {
    DrillSettings settings = Runs.settings("--never-leave=1");
    Exchange late = exchange(NEVER_LEARNS, GONE + SECOND, Outcome.REFUSED);
    Exchange early = exchange(NEVER_LEARNS, GONE - SECOND, Outcome.REFUSED);
    RunResult run = Runs.run(Mode.LASTCALL, settings, Runs.CLEAN, late, early);

    assertEquals(Outcome.UNROUTABLE, Verdict.classify(late, run).outcome());
    assertEquals(Outcome.REFUSED, Verdict.classify(early, run).outcome());
  }

  @Test
  void passed_needsNoLossAndACleanExit_ofLastcallOnly() {
    DrillSettings settings = Runs.settings();
    RunResult good = Runs.run(Mode.LASTCALL, settings, Runs.CLEAN);
    RunResult killed = Runs.run(Mode.LASTCALL, settings, Runs.SIGKILLED);
    RunResult losing =
        Runs.run(Mode.LASTCALL, settings, Runs.CLEAN, exchange(LEARNS, SIGTERM, Outcome.EOF));
    RunResult naive =
        Runs.run(Mode.NAIVE, settings, Runs.SIGTERMED, exchange(LEARNS, SIGTERM, Outcome.EOF));
    RunResult byItsHook = Runs.run(Mode.LASTCALL, settings, Runs.SIGTERMED);

    assertTrue(new DrillResult(settings, List.of(naive, good)).passed());
    assertEquals(List.of(), naive.uncleanExits());
    assertFalse(new DrillResult(settings, List.of(good, byItsHook)).passed());
    assertFalse(new DrillResult(settings, List.of(good, killed)).passed());
    assertFalse(new DrillResult(settings, List.of(good, losing)).passed());
  }

  @Test
  void passed_drainThatWasCutShort_isExcusedWhereSomeNodesNeverLearn() {
    DrillSettings learning = Runs.settings();
    DrillSettings never = Runs.settings("--never-leave=1");

    assertFalse(Runs.run(Mode.LASTCALL, learning, Runs.CUT_SHORT).passed());
    assertTrue(Runs.run(Mode.LASTCALL, never, Runs.CUT_SHORT).passed());
    assertFalse(Runs.run(Mode.LASTCALL, never, Runs.SIGKILLED).passed());
  }
}
