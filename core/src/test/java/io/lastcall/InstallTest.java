package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Phase;
import io.lastcall.pool.FakePool;
import io.lastcall.probe.ProbeKind;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.Jvm.Status;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** What install() takes and refuses, what may still be added behind it, and how it is undone. */
@Timeout(120)
class InstallTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  @Test
  void install_signalTakenBySomebodyElse_leavesItInPlaceWithAWarning() {
    harness.jvm.answer("TERM", Status.TAKEN, "taken by com.example.Handler");
    harness.install();
    assertEquals(Set.of("INT"), harness.jvm.signals());
    log.assertLogged(
        "SIGTERM is taken by com.example.Handler, and stays so: the shutdown begins only when that"
            + " handler exits, without KEEP_SERVING. Install Lastcall before it, or remove it");
  }

  @Test
  void install_underXrs_logsAnError() {
    harness.jvm.answer("TERM", Status.REDUCED, "");
    harness.jvm.answer("INT", Status.REDUCED, "");
    harness.install();
    log.assertLogged("ERROR");
    log.assertLogged(
        "SIGTERM cannot be seen: the JVM runs with -Xrs. It ends the process at once, also after"
            + " begin() or /prestop; as PID 1 it does nothing. Remove -Xrs");
    assertFalse(log.text().contains("SIGINT"));
  }

  @Test
  void install_signalIgnoredByTheParent_warnsWithTheCure() {
    harness.jvm.answer("TERM", Status.IGNORED, "the process was started with it ignored");
    harness.install();
    log.assertLogged(
        "SIGTERM will not arrive: the process was started with it ignored. The program that starts"
            + " java must not ignore it, as a shell does after trap ''");
  }

  @Test
  void install_shellIsPid1_warnsWithTheCure() {
    harness.jvm.startedBy("sh");
    harness.install();
    log.assertLogged(
        "PID 1 is the shell 'sh' that started this JVM: it gets the stop signal and does not pass"
            + " it on. Start java with exec, or in the image's exec form");
  }

  @Test
  void install_graceShorterThanTheUsualDelayNeeds_warnsWithTheCure() {
    Harness.withGracePeriod("10s").install().uninstall();
    log.assertLogged(
        "WARN GracefulShutdown - grace-period=10s is too short for the usual propagation-delay of"
            + " 15s: it is 7s900ms.");
  }

  @Test
  void install_planThatDoesNotFit_isRefusedAndClaimsNothing() {
    harness.environment.put("LASTCALL_DRAIN_TIMEOUT", "30s");
    Exception e = assertThrows(IllegalArgumentException.class, harness::install);
    assertTrue(String.valueOf(e.getMessage()).contains(" to 52s, the smallest that fits"));
    assertEquals(Set.of(), harness.jvm.signals());
    assertTrue(harness.jvm.claim());
  }

  @Test
  void install_unusableStopSignal_isRefusedAndUndone() {
    harness.environment.put("LASTCALL_STOP_SIGNALS", "SIGTERM,KILL");
    harness.jvm.answer("KILL", Status.UNUSABLE, "the OS keeps it");
    Exception e = assertThrows(IllegalArgumentException.class, harness::install);
    assertEquals(
        "stop-signals=TERM,KILL (environment LASTCALL_STOP_SIGNALS): SIGKILL cannot be handled: the OS keeps it; allowed: signals of"
            + " this system that the JVM does not need, such as TERM, INT, HUP, USR1",
        e.getMessage());
    assertEquals(Set.of(), harness.jvm.signals());
    assertEquals(0, harness.jvm.hooks());
    assertTrue(harness.jvm.claim());
  }

  @Test
  void install_twice_isRefusedUntilTheFirstIsUninstalled() {
    GracefulShutdown first = harness.install();
    GracefulShutdownBuilder second = GracefulShutdown.builder().seams(harness.jvm, harness.ticker);
    Exception e = assertThrows(IllegalStateException.class, second::install);
    assertEquals(
        "install(): a GracefulShutdown is installed in this process already; allowed: one at a"
            + " time, uninstall() the other first",
        e.getMessage());
    assertEquals(1, harness.jvm.hooks());
    first.uninstall();
    second.install().uninstall();
  }

  @Test
  void install_errorBeforeAnythingIsStarted_claimsNothing() {
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    Thread starved = new Starved(() -> thrown.add(assertThrows(Error.class, harness::install)));
    starved.start();
    Harness.join(starved);
    assertEquals("no heap for a thread", thrown.get(0).getMessage());
    assertTrue(harness.jvm.claim());
  }

  /** Cannot make threads, which have its class loader. */
  private static final class Starved extends Thread {
    Starved(Runnable body) {
      super(body);
    }

    @Override
    public ClassLoader getContextClassLoader() {
      throw new OutOfMemoryError("no heap for a thread");
    }
  }

  @Test
  void install_sameBuilderAgain_isRefused() {
    harness.install().uninstall();
    String message =
        "This builder is installed already; allowed: settings before install(), steps, servers and"
            + " listeners on the GracefulShutdown until it begins";
    Exception e = assertThrows(IllegalStateException.class, harness::install);
    assertEquals(message, e.getMessage());
    Exception setter =
        assertThrows(
            IllegalStateException.class, () -> harness.builder().reserve(Duration.ofSeconds(1)));
    assertEquals(message, setter.getMessage());
  }

  @Test
  void install_always_printsThePlan() {
    harness.environment.put("LASTCALL_GRACE", "10s");
    harness.install();
    log.assertLogged("Shutdown plan\n  grace-period ");
    log.assertLogged("Unknown environment variable LASTCALL_GRACE is ignored");
  }

  @Test
  void install_inKubernetes_saysHowLongPodsOverlapInARollout_andWhatPoolsNeed() {
    GracefulShutdown shutdown = harness.install();
    log.assertLogged(
        "In a rollout this Pod runs for 15s to 29s beside its successor: plan for the memory and"
            + " the connections of both");
    shutdown.pool(
        "orders",
        new FakePool(10) {
          @Override
          public OptionalInt maximum() {
            return OptionalInt.of(10);
          }
        });
    log.assertLogged("Pool 'orders' of 10 connections: up to 20 with the successor's");
  }

  @Test
  void uninstall_idle_givesEverythingBackAndNeverExits() {
    GracefulShutdown shutdown = harness.install();
    assertEquals(Set.of("TERM", "INT"), harness.jvm.signals());
    assertEquals(1, harness.jvm.hooks());
    shutdown.uninstall();
    shutdown.uninstall();
    assertEquals(Set.of(), harness.jvm.signals());
    assertEquals(0, harness.jvm.hooks());
    CompletableFuture<ShutdownReport> late = shutdown.begin("too late");
    Exception e = assertThrows(CompletionException.class, late::join);
    assertEquals(
        "No shutdown can begin: it is uninstalled",
        Objects.requireNonNull(e.getCause()).getMessage());
    assertTrue(harness.jvm.runs());
  }

  @Test
  void uninstall_aConditionHangs_endsItsThreadToo() {
    CompletableFuture<Thread> asking = new CompletableFuture<>();
    GracefulShutdown shutdown = harness.install();
    shutdown
        .probes()
        .condition(
            ProbeKind.READINESS,
            "hung",
            () -> {
              asking.complete(Thread.currentThread());
              Harness.hang();
              return Optional.empty();
            });
    Thread thread = Harness.result(asking);
    shutdown.uninstall();
    assertFalse(shutdown.probes().isReady());
    Awaitility.await().until(() -> !thread.isAlive());
  }

  @Test
  void uninstall_begun_doesNothing() {
    GracefulShutdown shutdown = harness.terminate();
    shutdown.uninstall();
    assertEquals(Set.of("TERM", "INT"), harness.jvm.signals());
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void components_withSettingsAfterInstall_areRefused() {
    GracefulShutdown shutdown = harness.install();
    Orders orders = new Orders(harness.events);
    Exception e = assertThrows(IllegalArgumentException.class, () -> shutdown.components(orders));
    assertEquals(
        "@ShutdownSettings on %s is too late: the plan is made at install(); allowed:"
                .formatted(Orders.class.getName())
            + " builder().components(...)",
        e.getMessage());
  }

  /** With settings and a step. */
  @ShutdownSettings(gracePeriod = "40s")
  record Orders(List<String> events) {
    @OnShutdown(phase = Phase.DRAIN)
    void stop() {
      events.add("orders");
    }
  }

  @Test
  void components_withSettingsAddedAgain_areThereOnce() {
    Orders orders = new Orders(harness.events);
    harness.builder().components(orders).components(orders);
    GracefulShutdown shutdown = harness.install();
    shutdown.components(orders);
    assertEquals(Duration.ofSeconds(40), shutdown.plan().gracePeriod());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(1, Collections.frequency(harness.events, "orders"));
  }

  @ShutdownSettings(gracePeriod = "40s")
  private static final class Settings {}

  @Test
  void components_withSettingsAndNoStepAddedBefore_areLeftAsTheyAre() {
    Settings settings = new Settings();
    harness.builder().components(settings, settings);
    GracefulShutdown shutdown = harness.install();
    shutdown.components(settings);
    assertEquals(Duration.ofSeconds(40), shutdown.plan().gracePeriod());
    shutdown.uninstall();
  }

  @Test
  void add_afterBegin_isRefusedWithTheTrigger() {
    GracefulShutdown shutdown = harness.terminate();
    String late = " is too late: the shutdown has begun (SIGTERM); allowed: before";
    Exception listener =
        assertThrows(
            IllegalStateException.class, () -> shutdown.listener(new ShutdownListener() {}));
    assertEquals("listener(...)" + late, listener.getMessage());
    Exception server =
        assertThrows(
            IllegalStateException.class, () -> shutdown.server(new FakeServer("web", harness)));
    assertEquals("server(web)" + late, server.getMessage());
    Exception components =
        assertThrows(IllegalStateException.class, () -> shutdown.components(new Object()));
    assertEquals("components(...)" + late, components.getMessage());
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without it may do
  void add_null_isRefusedByName() {
    GracefulShutdown shutdown = harness.install();
    assertNullIsRefused("step", () -> shutdown.step(null));
    assertNullIsRefused("server", () -> shutdown.server(null));
    assertNullIsRefused("listener", () -> shutdown.listener(null));
    assertNullIsRefused("component", () -> shutdown.components(new Object[] {null}));
    assertNullIsRefused("components", () -> shutdown.components((Object[]) null));
    GracefulShutdownBuilder builder = new Harness().builder();
    assertNullIsRefused("step", () -> builder.step(null));
    assertNullIsRefused("server", () -> builder.server(null));
    assertNullIsRefused("listener", () -> builder.listener(null));
    assertNullIsRefused("component", () -> builder.components(new Object[] {null}));
    assertNullIsRefused("components", () -> builder.components((Object[]) null));
    assertNullIsRefused("stop-signals", () -> builder.stopSignals((String[]) null));
  }

  private static void assertNullIsRefused(String what, Executable call) {
    Exception e = assertThrows(NullPointerException.class, call);
    assertEquals(what + " must not be null", e.getMessage());
  }
}
