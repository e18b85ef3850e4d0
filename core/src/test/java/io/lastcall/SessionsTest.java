package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.Sessions;
import io.lastcall.connection.Sessions.Session;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions hold a release that is out of service, and no grace period. */
@Timeout(120)
class SessionsTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private GracefulShutdown install() {
    harness.builder().propagationDelay(Duration.ofSeconds(15)).cleanExitCode(0);
    return harness.install();
  }

  private static String idle(GracefulShutdown shutdown) {
    ProbeAnswer answer =
        Harness.result(
            shutdown
                .probes()
                .answer(ProbeRequest.of("GET", "/idle", name -> null))
                .toCompletableFuture());
    return answer.status() + " " + answer.body().strip();
  }

  @Test
  void open_whileOneIs_theReleaseIsNotIdle() {
    GracefulShutdown shutdown = install();
    Sessions mcp = shutdown.sessions("mcp");
    assertEquals("200 idle", idle(shutdown));
    Session first = mcp.open().orElseThrow();
    Session second = mcp.open().orElseThrow();
    Session adopted = shutdown.sessions("http").adopt();
    assertEquals("503 busy: 1 of sessions 'http', 2 of sessions 'mcp'", idle(shutdown));
    assertFalse(shutdown.isIdle());
    first.close();
    first.close();
    second.close();
    adopted.close();
    assertEquals("200 idle", idle(shutdown));
    assertTrue(shutdown.isIdle());
    assertEquals(0, mcp.inProgress());
    shutdown.uninstall();
  }

  /** Routers still send new clients for a while: to refuse these is an error that they see. */
  @Test
  void outOfService_noNewSessionOnceRoutersHaveLearnt_andThoseThatAreOpenGoOn() {
    GracefulShutdown shutdown = install();
    Sessions mcp = shutdown.sessions("mcp");
    Session old = mcp.open().orElseThrow();
    shutdown.takeOutOfService(true);
    harness.ticker.advance(Duration.ofMillis(14_999));
    mcp.open().orElseThrow().close();
    harness.ticker.advance(Duration.ofMillis(1));
    assertTrue(mcp.open().isEmpty());
    assertEquals(1, mcp.inProgress());
    shutdown.sessions("http").adopt().close();
    shutdown.takeOutOfService(true); // again: nothing begins anew
    assertTrue(mcp.open().isEmpty());
    shutdown.takeOutOfService(false);
    mcp.open().orElseThrow().close();
    old.close();
    shutdown.uninstall();
  }

  @Test
  void shutdown_sessionsAreOpen_areNotWaitedForAndThoseThatLiveHereAreNamed() {
    GracefulShutdown shutdown = install();
    shutdown.sessions("mcp").open().orElseThrow();
    shutdown.sessions("http").adopt();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Outcome.INCOMPLETE, harness.report().outcome());
    assertEquals(
        List.of("1 of sessions 'mcp' were open, and end with the process"),
        harness.report().problems());
  }

  /** A container's sessions may be stored elsewhere. */
  @Test
  void shutdown_adoptedSessionsAreOpen_isClean() {
    GracefulShutdown shutdown = install();
    shutdown.sessions("http").adopt();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
  }

  @Test
  void sessions_ofAName_areOneAndTheSame_andListenersHearOfEach() {
    GracefulShutdown shutdown = install();
    List<String> heard = new ArrayList<>();
    shutdown.sessions("mcp");
    shutdown.onSessions(sessions -> heard.add(sessions.name()));
    assertEquals(shutdown.sessions("mcp"), shutdown.sessions("mcp"));
    shutdown.sessions("chat");
    assertEquals(List.of("mcp", "chat"), heard);
    assertThrows(IllegalArgumentException.class, () -> shutdown.sessions(" "));
    shutdown.uninstall();
  }

  /** The first session of a name begins in a request, which is none of the listener's business. */
  @Test
  void listener_throws_isNamed_andSessionsOthersAndTheShutdownGoOn() {
    GracefulShutdown shutdown = install();
    shutdown.sessions("mcp");
    List<String> heard = new ArrayList<>();
    shutdown.onSessions(
        sessions -> {
          throw new AssertionError("no meter for " + sessions.name());
        });
    shutdown.onSessions(sessions -> heard.add(sessions.name()));
    shutdown.sessions("chat").open().orElseThrow().close();
    assertEquals(List.of("mcp", "chat"), heard);
    for (String name : heard) {
      log.assertLogged("A listener failed that was told of sessions '%s'".formatted(name));
      log.assertLogged("no meter for " + name);
    }
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
  }
}
