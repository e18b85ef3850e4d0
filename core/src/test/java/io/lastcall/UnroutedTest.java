package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Phase;
import io.lastcall.plan.ReportLog;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process that no router knows: a consumer, a job, a command. */
@Timeout(120)
class UnroutedTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = Harness.withGracePeriod("30s");

  @Test
  void sigterm_noServer_waitsForNoRouterAndExitsAsWithoutTheLibrary() {
    harness.builder().step(Phase.KEEP_SERVING, "checkpoint", harness.event("checkpoint"));
    harness.terminate();
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
    assertEquals(Duration.ZERO, harness.report().took());
    assertTrue(harness.events.contains("checkpoint"));
    log.assertLogged("(29 s). Not serving on: no server registered.");
  }

  @Test
  void sigterm_noServerButADelayAndAnExitCodeAreSet_bothCount() {
    harness.builder().propagationDelay(Duration.ofSeconds(15)).cleanExitCode(0);
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @ShutdownSettings(cleanExitCode = 0)
  static final class Consumer {}

  @Test
  void sigterm_noServerAndAnAnnotationSetsTheCodeToItsDefault_exitsWithIt() {
    harness.builder().components(new Consumer());
    harness.terminate();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    log.assertLogged("clean-exit-code      0");
    log.assertLogged("annotation Consumer");
  }

  @Test
  void install_noServer_thePlanSaysWhatASignalWillDo() {
    harness.install();
    log.assertLogged(
        "  clean-exit-code      143                by a signal, since there is no server yet;"
            + " 0 with one");
    log.assertLogged(
        "  propagation-delay    0s                 since there is no server yet; 15s with one");
  }

  @Test
  void install_aServerIsThere_thePlanSaysSo() {
    harness.builder().server(new FakeServer("web", harness));
    harness.install();
    log.assertLogged("  clean-exit-code      0                  default");
    log.assertLogged("  propagation-delay    15s                default");
  }

  @Test
  void install_reportLogIsOneLine_thePlanIsOneLineToo() {
    harness.builder().reportLog(ReportLog.ONE_LINE);
    harness.install();
    String plan =
        log.text().lines().filter(line -> line.contains("Shutdown plan")).findAny().orElse("");
    assertTrue(
        plan.contains(
            ": grace-period 30s (environment LASTCALL_GRACE_PERIOD); propagation-delay 0s (since"),
        plan);
    assertTrue(plan.endsWith("report-file off (default)"), plan);
  }

  @Test
  void sigint_noServer_exitsAsAShellExpects() {
    harness.install();
    Harness.join(harness.jvm.raise("INT"));
    assertEquals(new Ending("exit", 130), harness.jvm.awaitEnding());
  }

  @Test
  void begin_noServer_exitsWith0() {
    var unused = harness.install().begin("the job is done");
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void sigterm_serverTakenBack_isStillAService() {
    FakeServer server = new FakeServer("web", harness);
    harness.install().server(server).remove();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(0, harness.report().steps().size());
  }

  @Test
  void sigterm_requestCountedWithoutAServer_isAService() {
    harness.install();
    assertTrue(harness.enter("GET /").release());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void sigterm_noServerButRoutersAreAssumed_isAService() {
    GracefulShutdown shutdown = harness.install();
    shutdown.assumeRouted();
    assertEquals(List.of(), shutdown.servers());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }
}
