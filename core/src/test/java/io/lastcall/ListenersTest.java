package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.UnprintableException;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.StepReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class ListenersTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final CountDownLatch hanging = new CountDownLatch(1);

  @Test
  void listener_throwsAlways_changesNothing() {
    harness.builder().listener(new Throwing());
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
    log.assertLogged("A shutdown listener failed");
  }

  @Test
  void stepEnded_anotherStepHangs_isToldAtOnce() {
    List<String> ended = new CopyOnWriteArrayList<>();
    harness
        .builder()
        .step(Phase.KEEP_SERVING, "hangs", context -> Harness.await(hanging))
        .step(Phase.KEEP_SERVING, "ends", context -> {})
        .listener(
            new ShutdownListener() {
              @Override
              public void stepEnded(StepReport report) {
                ended.add(report.name());
              }
            });
    harness.terminate();
    Awaitility.await().until(() -> ended.equals(List.of("ends")));
    hanging.countDown();
    Awaitility.await().until(() -> ended.equals(List.of("ends", "hangs")));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void listener_throwsWhatCannotBeLogged_isStillToldTheRest() {
    assertIsToldTheRest(
        () -> {
          throw new UnprintableException();
        });
  }

  @Test
  void listener_interruptsItsThread_isStillToldTheRest() {
    assertIsToldTheRest(() -> Thread.currentThread().interrupt());
  }

  private void assertIsToldTheRest(Runnable whenBegun) {
    harness
        .builder()
        .listener(
            new ShutdownListener() {
              @Override
              public void began(Trigger trigger) {
                whenBegun.run();
              }
            });
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals("completed", harness.events.get(harness.events.size() - 1));
  }

  /** It would keep the class loader of what was redeployed. */
  @Test
  void uninstall_listenersHaveBeenTold_endsTheirThread() {
    CompletableFuture<Thread> told = new CompletableFuture<>();
    GracefulShutdown shutdown = harness.install();
    shutdown.listener(
        new ShutdownListener() {
          @Override
          public void outOfService(boolean on) {
            told.complete(Thread.currentThread());
          }
        });
    shutdown.takeOutOfService(true);
    Thread thread = Harness.result(told);
    shutdown.uninstall();
    Awaitility.await().until(() -> !thread.isAlive());
  }

  @Test
  void listener_hangs_isNotWaitedForLongerThanExitAllows() throws Exception {
    harness.builder().listener(new Hanging());
    harness.terminate();
    harness.passKeepServing();
    hanging.await();
    harness.pass(15_750);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(log.text().contains("Shutdown clean after 15000 ms"));
    assertSaidWhereItHangs("a listener");
  }

  @Test
  void future_dependentHangs_isNotWaitedForLongerThanExitAllows() throws Exception {
    CompletableFuture<ShutdownReport> report = harness.install().begin("test");
    CompletableFuture<Void> dependent = report.thenAccept(done -> hang());
    harness.passKeepServing();
    hanging.await();
    harness.pass(15_750);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertFalse(dependent.isDone());
    assertSaidWhereItHangs("a dependent of begin() or completion()");
  }

  private void assertSaidWhereItHangs(String who) {
    log.assertLogged("The exit does not wait for " + who + " any longer; it is");
    log.assertLogged("io.lastcall.ListenersTest.hang(");
  }

  private void hang() {
    hanging.countDown();
    Harness.hang();
  }

  private final class Hanging implements ShutdownListener {
    @Override
    public void began(Trigger trigger) {
      hang();
    }
  }

  private static final class Throwing implements ShutdownListener {
    @Override
    public void began(Trigger trigger) {
      throw new IllegalStateException("began");
    }

    @Override
    public void phaseStarted(Phase phase) {
      throw new AssertionError("phaseStarted");
    }

    @Override
    public void phaseEnded(PhaseReport report) {
      throw new IllegalStateException("phaseEnded");
    }

    @Override
    public void completed(ShutdownReport report) {
      throw new NoClassDefFoundError("completed");
    }
  }
}
