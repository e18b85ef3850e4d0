package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
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

  @Test
  void look_startedWasNotCalledAMinuteAfterTheFirstRequest_namesIt() {
    harness.builder().awaitStarted().server(server);
    harness.install();
    harness.enter("GET /").release();
    passLooks(12);
    awaitNextLook();
    assertFalse(log.text().contains("started()"), log::text);
    passLooks(1);
    awaitNextLook();
    log.assertLogged("GracefulShutdown.started() was not called");
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
