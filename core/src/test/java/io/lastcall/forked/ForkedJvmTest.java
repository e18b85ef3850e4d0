package io.lastcall.forked;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Signals, hooks, exit and halt of real processes. The grace period in them is 4 s and the halt
 * comes after 3 s; that it came before SIGKILL is shown by the exit code, 81 and not 137.
 */
@Timeout(240)
class ForkedJvmTest {
  /** Where nothing must run into its limit, also on a machine that has other things to do. */
  private static final String AMPLE = "-Dlastcall.grace-period=60s";

  private @TempDir Path folder = Path.of("unset");

  @Test
  void sigterm_clean_exitsWith0AndOtherHooksRunAfterThePhases() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("clean", AMPLE)) {
      jvm.signal("TERM");
      jvm.assertExits(0);
      jvm.assertOrder(
          "Shutdown plan",
          "ready",
          "Shutdown begun by SIGTERM",
          "pool closed",
          "flushed",
          "Shutdown clean",
          "other hook");
    }
  }

  /** Nothing can be drained without the classes for it, but the process must not stay either. */
  @Test
  void sigterm_classPathIsGone_exitsWith80() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("class-path-gone", AMPLE)) {
      jvm.signal("TERM");
      jvm.assertExits(80);
    }
  }

  /** A SecurityManager refuses the halt, too; without a handler the JVM's own end asks none. */
  @Test
  @EnabledForJreRange(maxVersion = 23, disabledReason = "no SecurityManager can be set")
  void sigterm_exitIsRefused_endsAsTheJvmDoesByItself() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("exit-refused", AMPLE, "-Djava.security.manager=allow")) {
      jvm.signal("TERM");
      jvm.assertExits(143);
      jvm.assertOrder("pool closed", "Shutdown clean", "other hook");
    }
  }

  @Test
  void sigint_fromATerminal_exitsWith0() throws Exception {
    assumeTrue(sigintReachesChildren(), "this build was started with SIGINT ignored");
    try (ForkedJvm jvm = ForkedJvm.start("clean", AMPLE)) {
      jvm.signal("INT");
      jvm.assertExits(0);
      jvm.assertOrder("ready", "pool closed", "Shutdown clean", "other hook");
    }
  }

  @Test
  void sigint_twice_haltsWith130() throws Exception {
    assumeTrue(sigintReachesChildren(), "this build was started with SIGINT ignored");
    try (ForkedJvm jvm = ForkedJvm.start("slow", AMPLE)) {
      jvm.signal("INT");
      jvm.awaitLine("draining");
      jvm.signal("INT");
      jvm.assertExits(130);
      jvm.assertNever("pool closed");
    }
  }

  @Test
  void sigterm_twice_isNoReasonToDieEarly() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("slow", AMPLE)) {
      jvm.signal("TERM");
      jvm.awaitLine("draining");
      jvm.signal("TERM");
      jvm.awaitLine("SIGTERM: the shutdown has begun already and goes on as it is");
      jvm.signal("TERM");
      jvm.enterNewline();
      jvm.assertExits(0);
      jvm.assertOrder("draining", "pool closed", "Shutdown clean");
    }
  }

  /** As where there is no provider: SLF4J then logs to nowhere. */
  @Test
  void sigterm_noSlf4jProvider_onlyAnIncompleteShutdownSaysSoInOneLine() throws Exception {
    String none = "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider";
    try (ForkedJvm jvm = ForkedJvm.start("looping-step", AMPLE, none)) {
      jvm.signal("TERM");
      jvm.assertExits(80);
      jvm.assertOrder("lastcall: Shutdown incomplete after ");
      jvm.assertOrder("DRAIN incomplete; step loop timed out after ");
      jvm.assertNever("Shutdown plan");
    }
    try (ForkedJvm jvm = ForkedJvm.start("clean", AMPLE, none)) {
      jvm.signal("TERM");
      jvm.assertExits(0);
      jvm.assertNever("lastcall: ");
    }
  }

  @Test
  void sigterm_stepLoopsIgnoringInterrupts_laterStepsRunAndTheCodeIs80() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("looping-step", AMPLE)) {
      jvm.signal("TERM");
      jvm.assertExits(80);
      jvm.assertOrder("DRAIN step 'loop' timed out", "pool closed", "Shutdown incomplete");
    }
  }

  @Test
  void sigterm_hookOfSomebodyElseHangs_isHaltedAndSaysWhy() throws Exception {
    // The longer EXIT is, the more time there is before the halt to say why.
    try (ForkedJvm jvm =
        ForkedJvm.start(
            "hanging-hook",
            "-Dlastcall.grace-period=8s",
            "-Dlastcall.exit-timeout=4s",
            "-Dlastcall.close-timeout=1s")) {
      jvm.signal("TERM");
      jvm.assertExits(81);
      jvm.assertOrder(
          "Shutdown clean",
          "Halt in 1000 ms unless the process ends: the exit hangs",
          "thread somebody's hook:");
    }
  }

  @Test
  void sigterm_requestNeverEnds_exitsWith80AndNamesIt() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("endless-request", AMPLE, "-Dlastcall.drain-timeout=1s")) {
      jvm.signal("TERM");
      jvm.assertExits(80);
      jvm.assertOrder(
          "DRAIN timed out; still in flight:",
          "request GET /endless",
          "pool closed",
          "abandoned 1");
    }
  }

  /** Alone, the exit is what is left to do: a JVM that ends by itself would say 0. */
  @ParameterizedTest
  @ValueSource(strings = {"full-heap", "full-heap-alone"})
  void sigterm_heapIsFullOnceBegun_isGoneBeforeTheGracePeriod(String victim) throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start(victim)) {
      jvm.signal("TERM");
      jvm.assertExits(80, 81);
      jvm.assertOrder("ready", "filling");
    }
  }

  @Test
  void sigterm_noThreadIsLeftOnceBegun_isGoneBeforeTheGracePeriodAndSaysWhatHangs()
      throws Exception {
    try (ForkedJvm jvm = ForkedJvm.startWithFewThreads("no-threads")) {
      jvm.signal("TERM");
      jvm.assertExits(80, 81);
      jvm.assertOrder("ready", "no thread is left");
      jvm.assertOrder("ready", "step 'bomb'", "Victim.startThreads(");
    }
  }

  /** A log shipper that is stuck, or Docker's default mode with a full buffer. */
  @Test
  void sigterm_standardOutputIsAFullPipe_drainsAndExitsByItself() throws Exception {
    Path report = folder.resolve("report.json");
    try (ForkedJvm jvm =
        ForkedJvm.startUnread(
            "blocked-log", folder.resolve("blocked"), AMPLE, "-Dlastcall.report-file=" + report)) {
      jvm.signal("TERM");
      jvm.assertExits(0);
    }
    String json = Files.readString(report);
    assertTrue(json.contains("\"outcome\":\"CLEAN\""), json);
  }

  /** As a Job that checkpoints: Kubernetes takes 0 for a job that is done. */
  @Test
  void sigterm_jobWithoutServer_exitsWith143AtOnce() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("job", AMPLE)) {
      jvm.signal("TERM");
      jvm.assertExits(143);
      jvm.assertOrder("ready", "no server registered", "checkpoint", "Shutdown clean");
    }
  }

  @Test
  void exitBySomebodyElse_drainsAndKeepsTheirCode() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("foreign-exit", AMPLE)) {
      jvm.assertExits(7);
      jvm.assertOrder("ready", "consumers stopped", "pool closed");
    }
  }

  @Test
  void exitInsideARequest_waitsForThatRequestToTheTimeoutAndKeepsTheCode() throws Exception {
    try (ForkedJvm jvm =
        ForkedJvm.start("exit-in-request", AMPLE, "-Dlastcall.exit-drain-timeout=500ms")) {
      jvm.assertExits(7);
      jvm.assertOrder("ready", "DRAIN timed out", "request GET /exit", "pool closed");
    }
  }

  /** Somebody interrupts all threads, too. */
  @Test
  void mainReturns_onlyDaemonsAreLeftWhileTheSequenceRuns_theCodeStaysOurs() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("daemons-only", AMPLE)) {
      jvm.signal("TERM");
      jvm.assertExits(143);
      jvm.assertOrder("ready", "still there", "pool closed", "Shutdown clean");
      jvm.assertNever("nobody was interrupted");
    }
  }

  @Test
  void sigterm_beforeStarted_exitsWith143AtOnceThroughOtherHooks() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("not-started", AMPLE)) {
      jvm.signal("TERM");
      jvm.assertExits(143);
      jvm.assertOrder("ready", "other hook");
      jvm.assertNever("pool closed");
    }
  }

  @Test
  void install_underXrs_logsAnErrorAndSigtermKills() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("clean", "-Xrs")) {
      jvm.signal("TERM");
      jvm.assertExits(143); // 128 + 15: the kernel's default action
      jvm.assertOrder("ERROR", "ready");
      jvm.assertOrder("SIGTERM cannot be seen: the JVM runs with -Xrs", "ready");
      jvm.assertNever("pool closed");
    }
  }

  @Test
  void install_signalTakenBySomebodyElse_staysTheirsAndTheirExitDrains() throws Exception {
    try (ForkedJvm jvm = ForkedJvm.start("taken", AMPLE)) {
      jvm.signal("TERM");
      jvm.assertExits(3);
      jvm.assertOrder("SIGTERM is taken by", "ready", "pool closed");
    }
  }

  /** A child inherits what is ignored; the JVM never handles a SIGINT it was started without. */
  private static boolean sigintReachesChildren() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 2) == 0;
      }
    }
    return false;
  }
}
