package io.lastcall.rollout;

import io.lastcall.rollout.verdict.Cause.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A service whose verdict is known before it is rolled.
 *
 * @param causes one of them is among the first two of a red verdict; none for a green one
 * @param whileRouted whether readiness until the last router has left is asked too
 * @param rollout makes its rollout
 */
record Trial(String name, List<Kind> causes, boolean whileRouted, Supplier<RollingUpdate> rollout) {

  static Trial green(String name, Supplier<RollingUpdate> rollout) {
    return new Trial(name, List.of(), true, rollout);
  }

  static Trial red(String name, Supplier<RollingUpdate> rollout, Kind... causes) {
    return new Trial(name, Arrays.asList(causes), false, rollout);
  }

  /** Nothing is lost, and readiness fails first. */
  static Trial notReady(String name, Supplier<RollingUpdate> rollout) {
    return new Trial(name, List.of(), false, rollout);
  }

  /** What a rollout of it came to. */
  enum Verdict {
    GREEN,
    RED,
    INCONCLUSIVE,
    WRONG
  }

  Verdict judge(RolloutResult result) {
    if (result.inconclusive().isPresent()) {
      return Verdict.INCONCLUSIVE;
    }
    if (!causes.isEmpty()) {
      boolean named =
          isRed(result::assertNothingLost)
              && result.kinds().stream().limit(2).anyMatch(causes::contains);
      return named ? Verdict.RED : Verdict.WRONG;
    }
    if (isRed(result::assertNothingLost) || isRed(result::assertReadyWhileRouted) == whileRouted) {
      return Verdict.WRONG;
    }
    return whileRouted ? Verdict.GREEN : Verdict.RED;
  }

  private static boolean isRed(Runnable assertion) {
    try {
      assertion.run();
      return false;
    } catch (AssertionError red) {
      return true;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
