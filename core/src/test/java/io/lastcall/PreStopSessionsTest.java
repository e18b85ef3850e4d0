package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.Sessions.Session;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A preStop hook that waits for sessions. */
@Timeout(120)
class PreStopSessionsTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String WAITER = "lastcall-prestop-sessions";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private GracefulShutdown install(Duration grace) {
    harness.builder().gracePeriod(grace);
    harness.environment.put("LASTCALL_PRE_STOP_TOKEN", TOKEN);
    return harness.install();
  }

  private CompletableFuture<ProbeAnswer> preStop(String query) {
    ProbeRequest request = ProbeRequest.of("GET", "/prestop/" + TOKEN + query, name -> null);
    return harness.shutdown().probes().answer(request).toCompletableFuture();
  }

  private void waiterPasses(Duration moment) {
    harness.ticker.awaitParkedUntil(WAITER, moment);
    harness.ticker.advanceTo(moment);
  }

  /** 3600 s less DRAIN's 30 s, CLOSE_CONNECTIONS, EXIT and the reserve. */
  private Duration latest() {
    return Duration.ofSeconds(3600 - 30)
        .minus(harness.shutdown().plan().closeTimeout())
        .minus(harness.shutdown().plan().exitTimeout())
        .minus(harness.shutdown().plan().reserve());
  }

  @Test
  void sessionsAreOpen_servesOnOutOfService_andBeginsWhenTheLastIsClosed() {
    GracefulShutdown shutdown = install(Duration.ofHours(1));
    Session first = shutdown.sessions("mcp").open().orElseThrow();
    Session second = shutdown.sessions("http").adopt();
    CompletableFuture<ProbeAnswer> answer = preStop("?wait=sessions");
    harness.ticker.awaitParkedUntil(WAITER, Duration.ofSeconds(15));
    assertTrue(shutdown.gate().shouldCloseConnection());
    assertEquals(200, harness.probe("/readyz"), "routers have not learnt yet");
    shutdown.sessions("mcp").open().orElseThrow().close();
    waiterPasses(Duration.ofSeconds(15));
    harness.ticker.awaitParkedUntil(WAITER, latest());
    assertEquals(503, harness.probe("/readyz"));
    assertTrue(shutdown.sessions("mcp").open().isEmpty(), "none begins that would be lost");
    first.close();
    harness.ticker.advance(Duration.ofMinutes(20));
    assertFalse(shutdown.isShuttingDown());
    assertFalse(answer.isDone());
    second.close();
    assertEquals(200, Harness.result(answer).status());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
    assertEquals("/prestop", harness.report().trigger().reason());
    assertEquals(Duration.ZERO, shutdown.plan().keepServing(), "routers had 20 minutes");
  }

  @Test
  void noSessionIsOpen_endsWithPropagation() {
    install(Duration.ofSeconds(60));
    CompletableFuture<ProbeAnswer> answer = preStop("?wait=sessions");
    harness.ticker.awaitParkedUntil(WAITER, Duration.ofSeconds(15));
    assertFalse(answer.isDone());
    waiterPasses(Duration.ofSeconds(15));
    assertEquals("endpoints have propagated\n", Harness.result(answer).body());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void aSessionStaysOpen_isNamed_andTheProcessIsGoneWithinTheGracePeriod() {
    GracefulShutdown shutdown = install(Duration.ofHours(1));
    shutdown.sessions("mcp").open().orElseThrow();
    CompletableFuture<ProbeAnswer> answer = preStop("?wait=sessions");
    waiterPasses(Duration.ofSeconds(15));
    waiterPasses(latest());
    assertEquals(200, Harness.result(answer).status());
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("1 of sessions 'mcp' were open, and end with the process"),
        harness.report().problems());
    assertTrue(log.text().contains("time for sessions is over: 1 of sessions 'mcp'"), log::text);
    assertTrue(shutdown.plan().gracePeriod().compareTo(Duration.ofSeconds(45)) < 0);
  }

  /** A request that never ends: the halt counts from the hook, and not from what began later. */
  @Test
  void aSessionAndARequestStay_theEndCountsFromTheCall() {
    GracefulShutdown shutdown = install(Duration.ofHours(1));
    shutdown.sessions("mcp").open().orElseThrow();
    harness.enter("GET /endless");
    preStop("?wait=sessions");
    waiterPasses(Duration.ofSeconds(15));
    waiterPasses(latest());
    harness.awaitSequence();
    assertTrue(
        harness.ticker.read() + shutdown.status().budgetLeft().toNanos()
            <= Duration.ofHours(1).toNanos());
    harness.ticker.advanceTo(Duration.ofHours(1));
    assertTrue(List.of(80, 81).contains(harness.jvm.awaitEnding().code()));
  }

  @Test
  void sigtermMeanwhile_beginsAtOnce_withTheTimeThatTheHookHasLeft() {
    GracefulShutdown shutdown = install(Duration.ofSeconds(300));
    shutdown.sessions("mcp").open().orElseThrow();
    CompletableFuture<ProbeAnswer> answer = preStop("?wait=sessions");
    waiterPasses(Duration.ofSeconds(15));
    harness.ticker.awaitParked(WAITER);
    harness.ticker.advanceTo(Duration.ofSeconds(100));
    Harness.join(harness.jvm.raise("TERM"));
    Harness.result(answer);
    harness.jvm.awaitEnding();
    assertEquals("SIGTERM", harness.report().trigger().reason());
    assertEquals(Duration.ofSeconds(200), shutdown.plan().gracePeriod());
  }

  @Test
  void again_joins_andWithoutTheWaitBegins() {
    GracefulShutdown shutdown = install(Duration.ofSeconds(300));
    shutdown.sessions("mcp").open().orElseThrow();
    CompletableFuture<ProbeAnswer> first = preStop("?wait=sessions");
    waiterPasses(Duration.ofSeconds(15));
    harness.ticker.awaitParked(WAITER);
    CompletableFuture<ProbeAnswer> second = preStop("?wait=sessions");
    assertFalse(shutdown.isShuttingDown());
    CompletableFuture<ProbeAnswer> hurried = preStop("");
    assertTrue(shutdown.isShuttingDown());
    for (CompletableFuture<ProbeAnswer> each : List.of(first, second, hurried)) {
      assertEquals(200, Harness.result(each).status());
    }
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
  }

  @Test
  void uninstalledMeanwhile_isAnsweredAndBeginsNothing() {
    GracefulShutdown shutdown = install(Duration.ofSeconds(300));
    shutdown.sessions("mcp").open().orElseThrow();
    CompletableFuture<ProbeAnswer> answer = preStop("?wait=sessions");
    harness.ticker.awaitParked(WAITER);
    shutdown.uninstall();
    assertEquals(200, Harness.result(answer).status());
    assertFalse(shutdown.isShuttingDown());
    assertTrue(harness.jvm.runs());
  }
}
