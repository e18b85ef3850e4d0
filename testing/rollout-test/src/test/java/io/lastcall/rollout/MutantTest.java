package io.lastcall.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.rollout.Service.Mutant;
import io.lastcall.rollout.verdict.Cause.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service that leaves as it should is green; each fault is red, and named. Real processes. */
@Timeout(300)
class MutantTest {
  private static final Duration ROUTERS = Duration.ofSeconds(2);
  private static final Duration LONG_GRACE = Duration.ofSeconds(20);

  private final Path folder;

  MutantTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private RollingUpdate rollout(Mutant mutant, String... jvmOptions) {
    return Services.rollout(Service.class, mutant.name(), jvmOptions)
        .output(folder)
        .lastRouterLeaves(ROUTERS)
        .gracePeriod(Duration.ofSeconds(7))
        .load(LoadRequest.get("/fast").rate(40))
        .load(LoadRequest.post("/work", "{}").rate(20))
        .load(LoadRequest.get("/stream").rate(8));
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
                .gracePeriod(LONG_GRACE)
                .load(LoadRequest.webSocket("/ws").open(3))
                .load(LoadRequest.eventStream("/events").open(3)));

    result
        .assertNothingLost()
        .assertNothingWaitsForKill()
        .assertExitCode(143)
        .assertGoneWithin(LONG_GRACE)
        .assertReadyWhileRouted();
    assertTrue(result.sent() > 300, result::summary);
    assertTrue(Files.readString(result.picture()).contains("pod 4"));
    assertTrue(Files.readString(folder.resolve("rollout-pod1.log")).contains("leaves"));
    assertThrows(AssertionError.class, () -> result.assertGoneWithin(Duration.ofSeconds(1)));
    assertThrows(AssertionError.class, () -> result.assertExitCode(0));
  }

  @ParameterizedTest
  @CsvSource({"NO_DELAY, EXITED STOPPED_LISTENING", "NEVER_SAYS_CLOSE, NOT_TOLD_TO_CLOSE"})
  void run_mutant_isRedWithItsCause(Mutant mutant, String kinds) {
    assertRed(mutant, kinds);
  }

  @ParameterizedTest
  @Tag("all")
  @CsvSource({
    "NO_COUNT, CUT_AT_EXIT NOT_TOLD_TO_CLOSE ANSWER_CUT_AT_EXIT",
    "EXIT_IN_HOOK, EXIT_IN_HOOK",
    "SHORT_DELAY, DELAY_TOO_SHORT",
    "STOPS_LISTENING, STOPPED_LISTENING",
    "POOL_CLOSED, SERVER_ERROR",
    "UNAVAILABLE, UNAVAILABLE",
    "STREAM_CUT, ANSWER_CUT_AT_EXIT",
    "HANGS, HANGS"
  })
  void run_otherMutant_isRedWithItsCause(Mutant mutant, String kinds) {
    assertRed(mutant, kinds);
  }

  private void assertRed(Mutant mutant, String kinds) {
    RollingUpdate rollout = rollout(mutant);
    if (mutant == Mutant.SHORT_DELAY) {
      rollout.lastRouterLeaves(ROUTERS.multipliedBy(2));
    }
    RolloutResult result = verdict(rollout);

    assertFirstCauses(result, kinds);
    AssertionError red = assertThrows(AssertionError.class, result::assertNothingLost);
    assertEquals(result.summary(), red.getMessage());
  }

  private static void assertFirstCauses(RolloutResult result, String kinds) {
    List<Kind> allowed = Arrays.stream(kinds.split(" ")).map(Kind::valueOf).toList();
    assertFalse(result.causes().isEmpty(), result::summary);
    assertTrue(
        result.kinds().stream().limit(2).anyMatch(allowed::contains),
        () -> result.kinds() + " " + result.summary());
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
                .lastRouterLeaves(ROUTERS)
                .preStop(ROUTERS.plusSeconds(1))
                .gracePeriod(LONG_GRACE)
                .load(LoadRequest.get("/fast").rate(40).keepAlive(0))
                .load(LoadRequest.get("/stream").rate(8).keepAlive(0)))
        .assertNothingLost();
  }

  @Test
  @Tag("all")
  void run_jvmWithXrs_isKilledAndToldWhy() {
    RolloutResult result = verdict(rollout(Mutant.NONE, "-Xrs"));

    assertTrue(result.killed());
    assertEquals(Kind.XRS, result.kinds().get(0), result::summary);
  }

  @Test
  void run_shellAsFirstProcess_isKilledAndToldWhy() {
    List<String> words = new ArrayList<>(Services.java(Service.class, "NONE"));
    RollingUpdate rollout =
        rollout(Mutant.NONE).command("sh", "-c", String.join(" ", words) + "; echo over");

    RolloutResult result = verdict(rollout);

    assertTrue(result.killed());
    assertEquals(Kind.SHELL, result.kinds().get(0), result::summary);
    assertTrue(result.causes().get(0).contains("passes no signal on to java"), result::summary);
    assertFalse(Services.isAnyLeft(), "processes are left");
  }

  @Test
  @Tag("all")
  void run_webSocketsAndStreamsAreCut_areNamed() {
    RolloutResult dropped =
        verdict(rollout(Mutant.DROPS_WEB_SOCKETS).load(LoadRequest.webSocket("/ws").open(4)));
    assertFirstCauses(dropped, "WEB_SOCKET_DROPPED");

    RolloutResult cut =
        verdict(rollout(Mutant.CUTS_EVENTS).load(LoadRequest.eventStream("/events").open(4)));
    assertFirstCauses(cut, "EVENT_STREAM_CUT");
  }

  private RolloutResult http2(String mode) {
    return verdict(
        Services.rollout(Http2Service.class, mode)
            .output(folder)
            .http2()
            .lastRouterLeaves(ROUTERS)
            .gracePeriod(Duration.ofSeconds(7))
            .load(LoadRequest.get("/").rate(40))
            .load(LoadRequest.post("/orders", "{}").rate(20)));
  }

  @Test
  @Tag("all")
  void run_http2_withGoAway_losesNothing_withoutIsNamed() {
    http2("GOAWAY").assertNothingLost();

    assertFirstCauses(http2("NO_GOAWAY"), "NO_GOAWAY");
  }
}
