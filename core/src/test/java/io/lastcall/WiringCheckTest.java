package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mistakes in the installation, told while they can be mended. */
@Timeout(120)
class WiringCheckTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final FakeServer server =
      new FakeServer("web", harness) {
        @Override
        public Collection<String> unregistered() {
          return others;
        }
      };
  private List<String> others = List.of();

  private void passLooks(int looks) {
    for (int look = 1; look <= looks; look++) {
      Duration next = harness.ticker.elapsed().plusSeconds(5);
      harness.ticker.awaitParkedUntil("lastcall-wiring", next);
      harness.ticker.advanceTo(next);
    }
  }

  private void awaitNextLook() {
    harness.ticker.awaitParkedUntil("lastcall-wiring", harness.ticker.elapsed().plusSeconds(5));
  }

  @Test
  void look_requestsAreCountedWithoutAServer_warnsOnce() {
    harness.install();
    harness.enter("GET /").release();
    passLooks(3);
    awaitNextLook();
    log.assertLogged("Requests are counted, and no server is registered");
    assertEquals(1, log.text().split("no server is registered", -1).length - 1);
  }

  @Test
  void look_connectionsStayOpenAndNothingIsCounted_warnsAtTheThirdLook() {
    server.connections.add(() -> {});
    harness.builder().server(server);
    harness.install();
    passLooks(2);
    awaitNextLook();
    assertFalse(log.text().contains("not one request was counted"), log::text);
    passLooks(1);
    awaitNextLook();
    log.assertLogged("HTTP connections stay open, and not one request was counted");
  }

  @Test
  void look_connectionsStayOpenAndProbesCome_isSilent() {
    server.connections.add(() -> {});
    harness.builder().server(server);
    harness.install().probes().isProbe("/readyz");
    passLooks(4);
    awaitNextLook();
    assertFalse(log.text().contains("WARN"), log::text);
  }

  /** On Kubernetes a pod that is never ready gets no requests, only probes. */
  @Test
  void look_startedWasNotCalledAMinuteAfterInstall_namesItAndWhatTheInstallerDoes() {
    harness.builder().awaitStarted().server(server);
    harness.install().probes().isProbe("/readyz");
    passLooks(11);
    awaitNextLook();
    assertFalse(log.text().contains("started()"), log::text);
    passLooks(1);
    awaitNextLook();
    log.assertLogged(
        "A minute has passed since install(), and GracefulShutdown.started() was not called: until"
            + " then the process is not ready, and a stop signal drains no request. The thread that"
            + " installed it, "
            + Thread.currentThread().getName()
            + ", is now");
    // Its stack, wherever in this test it is by then.
    log.assertLogged("io.lastcall.WiringCheckTest.look_startedWasNotCalledAMinuteAfterInstall");
    assertFalse(log.text().contains("java.lang.Object.wait"), log::text);
    passLooks(2);
    awaitNextLook();
    assertEquals(1, log.text().split("A minute has passed", -1).length - 1, "once");
  }

  /** Spring Boot's runners are part of the start-up: such a job starts for as long as it runs. */
  @Test
  void look_aJobWithoutServerAndProbesHasNotStarted_isSilent() {
    harness.builder().awaitStarted();
    harness.install();
    passLooks(14);
    awaitNextLook();
    assertFalse(log.text().contains("WARN"), log::text);
  }

  @Test
  void started_aServerRunsWithoutWhatCountsItsRequests_isNamedAtOnceAndTheEndIsIncomplete() {
    server.counting = Counting.MISSING;
    server.connectionsEnded.complete(null);
    harness.builder().awaitStarted().server(server);
    GracefulShutdown shutdown = harness.install();
    awaitNextLook();
    shutdown.started();
    Awaitility.await()
        .untilAsserted(
            () ->
                log.assertLogged(
                    "web runs without the filter or handler that counts its requests: a shutdown"
                        + " would cut them all"));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    log.assertLogged(
        "web had no filter or handler that counts its requests: none of them was drained");
  }

  /**
   * Its worker threads get no time: connections are open, and no request has come to the filter.
   */
  @Test
  void look_starvedServiceIsWiredRightly_isNotToldOtherwise() {
    server.counting = Counting.IN_PLACE;
    server.connections.add(() -> {});
    server.connectionsEnded.complete(null);
    harness.builder().server(server);
    harness.install();
    passLooks(4);
    awaitNextLook();
    assertFalse(log.text().contains("WARN"), log::text);
  }

  @Test
  void shutdown_starvedServiceIsWiredRightly_isClean() {
    server.counting = Counting.IN_PLACE;
    server.connections.add(() -> {});
    server.connectionsEnded.complete(null);
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServingWithConnections();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void shutdown_connectionsWereSeenAndAllHaveClosedWithoutACountedRequest_isIncomplete() {
    server.connections.add(() -> {});
    server.connectionsEnded.complete(null);
    harness.builder().server(server);
    harness.install();
    passLooks(3);
    awaitNextLook();
    server.connections.clear();
    Harness.join(harness.jvm.raise("INT"));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    log.assertLogged("not one request was ever counted");
  }

  @Test
  void look_serverHasAnotherListener_namesBoth() {
    others = List.of("a connector on port 8081");
    harness.builder().server(server);
    harness.install();
    passLooks(1);
    awaitNextLook();
    log.assertLogged(
        "web has a connector on port 8081, which is not registered: its requests are not drained");
  }

  @Test
  void shutdown_requestsWereNotCounted_isIncomplete() {
    server.connections.add(() -> {});
    server.connectionsEnded.complete(null);
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServingWithConnections();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Outcome.INCOMPLETE, harness.report().outcome());
    log.assertLogged("not one request was ever counted");
  }
}
