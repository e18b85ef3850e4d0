package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.Threads;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.work.Work;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class PreStopTest {
  private static final String TOKEN = "0123456789abcdef";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private CompletableFuture<ProbeAnswer> ask(String method, String target) {
    ProbeRequest request = ProbeRequest.of(method, target, name -> null);
    return harness.shutdown().probes().answer(request).toCompletableFuture();
  }

  private CompletableFuture<ProbeAnswer> preStop() {
    return ask("GET", "//prestop/" + TOKEN);
  }

  private GracefulShutdown install() {
    harness.environment.put("LASTCALL_PRE_STOP_TOKEN", TOKEN);
    return harness.install();
  }

  @Test
  void prestop_answersWhenPropagationHasEndedAndTheSequenceGoesOnToTheExit() {
    install();
    CompletableFuture<ProbeAnswer> answer = preStop();
    harness.pass(11_250);
    assertFalse(answer.isDone());
    harness.pass(15_000);
    assertEquals(200, Harness.result(answer).status());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals("/prestop", harness.report().trigger().reason());
  }

  @Test
  void prestop_waitsForDrained_answersWhenAllWorkIsDone() {
    install();
    Work.Unit unit = harness.shutdown().work("mail").begin("order 4711");
    CompletableFuture<ProbeAnswer> answer = ask("GET", "/prestop/" + TOKEN + "?wait=drained");
    harness.passKeepServing();
    harness.awaitSequence();
    assertEquals(Phase.DRAIN, harness.shutdown().phase().orElseThrow());
    assertFalse(answer.isDone());
    unit.close();
    assertEquals("drained\n", Harness.result(answer).body());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void prestop_waitsForSomethingElse_isRefusedAndBeginsNothing() {
    install();
    ProbeAnswer answer = Harness.result(ask("GET", "/prestop/" + TOKEN + "?wait=done"));
    assertEquals(400, answer.status());
    assertEquals(
        "wait=done is none of these: propagated, the default; drained; sessions\n", answer.body());
    assertFalse(harness.shutdown().isShuttingDown());
  }

  @Test
  void idle_whileWorkIsOpen_is503AndNamesIt() {
    harness.install();
    assertEquals("idle\n", Harness.result(ask("GET", "/idle?verbose")).body());
    Work.Unit unit = harness.shutdown().work("mail").begin("order 4711");
    var request = harness.enter("GET /");
    ProbeAnswer busy = Harness.result(ask("GET", "/idle"));
    assertEquals(503, busy.status());
    assertEquals("busy: 1 request in flight, 1 of work 'mail'\n", busy.body());
    request.release();
    unit.close();
    assertEquals(200, Harness.result(ask("HEAD", "/idle")).status());
    assertFalse(harness.shutdown().probes().isProbe("/idle"), "the path is the application's");
  }

  @Test
  void prestop_again_joins() {
    install();
    CompletableFuture<ProbeAnswer> first = preStop();
    CompletableFuture<ProbeAnswer> second = preStop();
    harness.passKeepServing();
    assertEquals(200, Harness.result(first).status());
    assertEquals(200, Harness.result(second).status());
    assertEquals(200, Harness.result(preStop()).status());
    harness.jvm.awaitEnding();
    assertEquals(1, harness.events.stream().filter("began /prestop"::equals).count());
  }

  @Test
  void prestop_theSigtermThatFollows_changesNothing() {
    install();
    CompletableFuture<ProbeAnswer> answer = preStop();
    harness.pass(11_250);
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(15_000);
    assertEquals(200, Harness.result(answer).status());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void prestop_afterSigterm_joinsThatShutdown() {
    install();
    Harness.join(harness.jvm.raise("TERM"));
    CompletableFuture<ProbeAnswer> answer = preStop();
    harness.passKeepServing();
    assertEquals(200, Harness.result(answer).status());
    assertEquals("SIGTERM", harness.report().trigger().reason());
  }

  @Test
  void prestop_aListenerHangs_isAnsweredAllTheSame() {
    CountDownLatch hung = new CountDownLatch(1);
    harness.builder().listener(new HangingListener(hung));
    install();
    CompletableFuture<ProbeAnswer> answer = preStop();
    harness.passKeepServing();
    assertEquals(200, Harness.result(answer).status());
    hung.countDown();
    harness.jvm.awaitEnding();
  }

  @Test
  void prestop_answerThatBlocks_doesNotHoldTheSequence() {
    install();
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<Void> slowClient = preStop().thenAccept(answer -> await(never));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertFalse(slowClient.isDone());
    never.countDown();
  }

  /** The log has said "exit code 80" by then: the halter, with another code, must not be next. */
  @Test
  void prestop_answerThatBlocksWhenTimeIsUp_isNotWaitedFor() {
    CountDownLatch never = new CountDownLatch(1);
    harness.builder().listener(new HangingAtTheEnd(never));
    install();
    harness.enter("GET /endless");
    CompletableFuture<Void> slowClient = preStop().thenAccept(answer -> await(never));
    harness.passKeepServing();
    harness.pass(22_725);
    harness.pass(27_600);
    harness.awaitSequenceUntil(28_275);
    harness.ticker.advanceTo(Duration.ofMillis(28_550));
    Awaitility.await().until(() -> !harness.jvm.runs() || isSequenceWaitingInRealTime());
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertFalse(slowClient.isDone());
    never.countDown();
  }

  private static boolean isSequenceWaitingInRealTime() {
    return Threads.alive().stream()
        .filter(thread -> thread.getName().equals(Harness.SEQUENCE))
        .anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void prestop_uninstalled_isNotLeftWaiting() {
    GracefulShutdown shutdown = install();
    shutdown.uninstall();
    assertEquals(200, Harness.result(preStop()).status());
    assertTrue(harness.jvm.runs());
  }

  @Test
  void token_inThePlan_isShownAsSetOnly() {
    GracefulShutdown shutdown = install();
    String shown = shutdown.plan().values() + shutdown.plan().table() + log.text();
    assertFalse(shown.contains(TOKEN), shown);
    assertEquals("set", shutdown.plan().value(Setting.PRE_STOP_TOKEN).json());
    shutdown.uninstall();
  }

  @Test
  void token_tooShort_isRefusedWithoutBeingShown() {
    harness.environment.put("LASTCALL_PRE_STOP_TOKEN", "hunter2");
    Exception e = assertThrows(IllegalArgumentException.class, harness::install);
    assertEquals(
        "environment LASTCALL_PRE_STOP_TOKEN=(hidden): it is no token; allowed: 16 to 200"
            + " characters out of A-Z a-z 0-9 - . _ ~, or off",
        e.getMessage());
    Exception code =
        assertThrows(
            IllegalArgumentException.class, () -> harness.builder().preStopToken("hunter2"));
    assertEquals(
        "pre-stop-token (code)=(hidden): it is no token; allowed: 16 to 200 characters out of A-Z"
            + " a-z 0-9 - . _ ~, or off",
        code.getMessage());
  }

  @Test
  void outOfService_enteredAndLeft_turnsReadinessAndEveryResponse() {
    GracefulShutdown shutdown = install();
    assertEquals(200, Harness.result(ask("POST", "/lameduck/" + TOKEN)).status());
    assertEquals(503, harness.probe("/readyz"));
    assertEquals(200, harness.probe("/livez"));
    assertTrue(shutdown.gate().shouldCloseConnection());
    assertEquals(Optional.<Phase>empty(), shutdown.phase());
    shutdown.takeOutOfService(false);
    assertEquals(200, harness.probe("/readyz"));
    assertFalse(shutdown.gate().shouldCloseConnection());
    shutdown.uninstall();
  }

  @Test
  void outOfService_enteredAndLeft_listenersHearOfItInOrder() {
    CompletableFuture<Thread> notifier = new CompletableFuture<>();
    harness
        .builder()
        .listener(
            new ShutdownListener() {
              @Override
              public void outOfService(boolean on) {
                notifier.complete(Thread.currentThread());
              }
            });
    GracefulShutdown shutdown = install();
    Harness.result(ask("POST", "/lameduck/" + TOKEN));
    Harness.result(ask("DELETE", "/lameduck/" + TOKEN));
    shutdown.takeOutOfService(true);
    List<String> told =
        List.of("out of service true", "out of service false", "out of service true");
    Awaitility.await().until(() -> harness.events, told::equals);
    shutdown.uninstall();
    Harness.join(Harness.result(notifier));
  }

  @Test
  void outOfService_enteredAndLeft_isLoggedOnceEach() {
    GracefulShutdown shutdown = install();
    shutdown.takeOutOfService(true);
    shutdown.takeOutOfService(true);
    shutdown.takeOutOfService(false);
    shutdown.takeOutOfService(false);
    Awaitility.await().until(() -> harness.events.size() == 4);
    List<String> logged =
        log.text()
            .lines()
            .filter(line -> line.matches(".*(Out of|Back in) service.*"))
            .map(line -> line.replaceFirst(".*(?=(Out of|Back in) service)", ""))
            .toList();
    assertEquals(
        List.of(
            "Out of service: readiness fails, and every response says close", "Back in service"),
        logged);
    shutdown.uninstall();
  }

  @Test
  void outOfService_thenSigterm_runsTheSequenceAsEver() {
    install().takeOutOfService(true);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record HangingAtTheEnd(CountDownLatch hung) implements ShutdownListener {
    @Override
    public void completed(ShutdownReport report) {
      await(hung);
    }
  }

  private record HangingListener(CountDownLatch hung) implements ShutdownListener {
    @Override
    public void began(Trigger trigger) {
      await(hung);
    }
  }
}
