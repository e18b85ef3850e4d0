package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RegistrationsTest {
  private final Harness harness = new Harness();

  @Test
  void remove_stepBeforeItsPhase_isNotRun() {
    GracefulShutdown shutdown = harness.install();
    Removable pool = shutdown.step(Phase.DRAIN, "pool", harness.event("pool closed"));
    pool.remove();
    pool.remove();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertFalse(harness.events.contains("pool closed"));
  }

  @Test
  void remove_listenerBeforeTheShutdown_isNotNotified() {
    ShutdownListener listener =
        new ShutdownListener() {
          @Override
          public void began(Trigger trigger) {
            harness.events.add("heard");
          }
        };
    harness.install().listener(listener).remove();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertFalse(harness.events.contains("heard"));
  }

  @Test
  void step_addedToALaterPhaseByAStep_isRun() {
    GracefulShutdown shutdown = harness.install();
    shutdown.step(
        Phase.DRAIN,
        "consumers",
        context ->
            shutdown.step(Phase.CLOSE_CONNECTIONS, "session", harness.event("session closed")));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(harness.events.contains("session closed"));
  }

  @Test
  void step_addedToThePhaseThatRuns_isRefusedNamingIt() {
    GracefulShutdown shutdown = harness.terminate();
    harness.awaitSequenceUntil(11_250);
    Step step = Step.of(Phase.KEEP_SERVING, "registry", context -> {});
    Exception refusal = assertThrows(IllegalStateException.class, () -> shutdown.step(step));
    assertEquals(
        "step(registry): KEEP_SERVING has begun; allowed: steps of a later phase",
        refusal.getMessage());
  }

  @Test
  void isShuttingDown_fromTheTriggerOn_isTrue() {
    GracefulShutdown shutdown = harness.install();
    assertFalse(shutdown.isShuttingDown());
    assertEquals(Optional.empty(), shutdown.trigger());
    Harness.join(harness.jvm.raise("TERM"));
    assertTrue(shutdown.isShuttingDown());
    assertEquals("SIGTERM", shutdown.trigger().orElseThrow().reason());
  }

  @Test
  void completion_withoutBegin_hasTheReportAndBeginsNothing() {
    CompletableFuture<ShutdownReport> completion = harness.install().completion();
    assertFalse(harness.shutdown().isShuttingDown());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals("SIGTERM", Harness.result(completion).trigger().reason());
  }

  @Test
  void disabled_begun_runsNothingAndSaysSo() {
    GracefulShutdown disabled = GracefulShutdown.disabled();
    disabled.step(Phase.DRAIN, "pool", harness.event("pool closed"));
    assertTrue(disabled.probes().isReady());
    CompletableFuture<ShutdownReport> report = disabled.begin("test");
    Exception e = assertThrows(CompletionException.class, report::join);
    assertTrue(String.valueOf(e.getMessage()).contains("it is disabled"));
    assertFalse(disabled.isShuttingDown());
  }

  @Test
  void steps_inCode_closeStopAndAwait() {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    harness
        .builder()
        .step(
            Step.closing(Phase.CLOSE_CONNECTIONS, "pool", () -> harness.events.add("pool closed")))
        .step(Step.stopping(Phase.DRAIN, "executor", executor))
        .step(
            Step.awaiting(
                Phase.DRAIN,
                "consumer",
                () -> CompletableFuture.runAsync(() -> harness.events.add("consumer ended"))));
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(executor.isTerminated());
    assertTrue(harness.events.contains("consumer ended"));
    assertTrue(harness.events.contains("pool closed"));
  }
}
