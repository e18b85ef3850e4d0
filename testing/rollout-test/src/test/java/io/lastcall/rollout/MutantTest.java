package io.lastcall.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.rollout.Service.Mutant;
import io.lastcall.rollout.verdict.Cause.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A service that leaves as it should is green; each fault is red, and named. Real processes. */
@Timeout(300)
class MutantTest {
  /** The others take minutes. */
  private static final String QUICK = "no delay|keep-alive never told";

  /** Killed; each has a test of its own. */
  private static final String SHELL = "shell as PID 1";

  private static final String XRS = "-Xrs";

  private final Path folder;

  MutantTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private RollingUpdate rollout(Mutant mutant) {
    return Mutants.rollout(mutant).output(folder);
  }

  /** A run without a verdict is no failure of this test, and none of the service's. */
  private static RolloutResult verdict(RollingUpdate rollout) {
    RolloutResult result = rollout.run();
    assumeTrue(result.inconclusive().isEmpty(), result::summary);
    return result;
  }

  @Test
  void run_serviceThatLeavesAsItShould_losesNothing() throws Exception {
    RolloutResult result =
        verdict(
            rollout(Mutant.NONE)
                .gracePeriod(Mutants.LONG_GRACE)
                .load(LoadRequest.webSocket("/ws").open(3))
                .load(LoadRequest.eventStream("/events").open(3)));

    result
        .assertNothingLost()
        .assertNothingWaitsForKill()
        .assertExitCode(143)
        .assertGoneWithin(Mutants.LONG_GRACE)
        .assertReadyWhileRouted();
    assertTrue(result.sent() > 300, result::summary);
    assertTrue(Files.readString(result.picture()).contains("pod 4"));
    assertTrue(Files.readString(folder.resolve("rollout-pod1.log")).contains("leaves"));
    assertThrows(AssertionError.class, () -> result.assertGoneWithin(Duration.ofSeconds(1)));
    assertThrows(AssertionError.class, () -> result.assertExitCode(0));
  }

  static List<Trial> quick() {
    return Mutants.all().stream().filter(each -> each.name().matches(QUICK)).toList();
  }

  static List<Trial> others() {
    return Stream.concat(Mutants.all().stream(), Mutants.others().stream())
        .filter(each -> !each.name().matches(QUICK + "|" + SHELL + "|" + XRS))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("quick")
  void run_mutant_isRedWithItsCause(Trial trial) {
    assertRight(trial);
  }

  @ParameterizedTest
  @Tag("all")
  @MethodSource("others")
  void run_otherMutant_isJudgedAsItShouldBe(Trial trial) {
    assertRight(trial);
  }

  private void assertRight(Trial trial) {
    RolloutResult result = verdict(trial.rollout().get().output(folder));

    assertNotEquals(
        Trial.Verdict.WRONG, trial.judge(result), () -> result.kinds() + " " + result.summary());
    assertFalse(Services.isAnyLeft(), "processes are left");
  }

  @Test
  @Tag("all")
  void run_readinessFailsFirst_isRedWhereThatIsAsked() {
    RolloutResult result = verdict(rollout(Mutant.READINESS_FIRST));

    result.assertNothingLost();
    AssertionError red = assertThrows(AssertionError.class, result::assertReadyWhileRouted);
    assertTrue(
        ("" + red.getMessage()).matches("(?s).*readiness failed \\d+ ms after.*"), red::getMessage);
  }

  /**
   * Without a delay of its own: a hook that sleeps takes its place. It tells no client to go, so
   * that a kept connection may still lose a request.
   */
  @Test
  @Tag("all")
  void run_preStopLongEnough_losesNothingOnNewConnections() {
    verdict(
            Services.rollout(Service.class, Mutant.NO_DELAY.name())
                .output(folder)
                .lastRouterLeaves(Mutants.ROUTERS)
                .preStop(Mutants.ROUTERS.plusSeconds(1))
                .gracePeriod(Mutants.LONG_GRACE)
                .load(LoadRequest.get("/fast").rate(40).keepAlive(0))
                .load(LoadRequest.get("/stream").rate(8).keepAlive(0)))
        .assertNothingLost();
  }

  @Test
  void run_shellAsFirstProcess_isKilledAndToldWhy() {
    RolloutResult result = rollKilled(SHELL, Kind.SHELL);

    assertTrue(result.causes().get(0).contains("passes no signal on to java"), result::summary);
    AssertionError red = assertThrows(AssertionError.class, result::assertNothingLost);
    assertEquals(result.summary(), red.getMessage());
    assertFalse(Services.isAnyLeft(), "processes are left");
  }

  @Test
  @Tag("all")
  void run_jvmWithXrs_isKilledAndToldWhy() {
    var unused = rollKilled(XRS, Kind.XRS);
  }

  private RolloutResult rollKilled(String name, Kind cause) {
    Trial trial =
        Mutants.all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    RolloutResult result = verdict(trial.rollout().get().output(folder));

    assertTrue(result.killed());
    assertEquals(cause, result.kinds().get(0), result::summary);
    return result;
  }
}
