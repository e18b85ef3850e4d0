package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Condition;
import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.Probes;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport;
import io.lastcall.spi.Extension;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an artifact beside core gets: settings, readiness, and the very end. */
@Timeout(120)
class ExtensionTest {
  private static final Setting<Optional<String>> BELL =
      Setting.optional("bell", "How it rings. Default: off.", "loud or low", ExtensionTest::parse);

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private static String parse(String text) {
    if (!List.of("loud", "low").contains(text)) {
      throw new IllegalArgumentException("nobody hears it");
    }
    return text;
  }

  private GracefulShutdown install(Extension... extensions) {
    configure(extensions);
    return harness.install();
  }

  private void configure(Extension... extensions) {
    harness
        .builder()
        .environment(harness.environment, new Properties(), extensions)
        .propagationDelay(Duration.ofSeconds(15))
        .cleanExitCode(0);
  }

  @Test
  void settings_ofAnExtension_areReadAndPrintedAfterCores() {
    harness.environment.put("LASTCALL_BELL", "low");
    Bell bell = new Bell("bell");
    GracefulShutdown shutdown = install(bell);
    assertEquals(Optional.of("low"), shutdown.plan().value(BELL).value());
    assertEquals(List.of("low"), bell.values);
    String last = shutdown.plan().table().strip().lines().reduce((a, b) -> b).orElseThrow();
    assertTrue(last.matches(" *bell +low +environment LASTCALL_BELL"), last);
    shutdown.uninstall();
  }

  @Test
  void settings_badValueInCode_isRefusedAtOnce() {
    configure(new Bell("bell"));
    Exception refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> harness.builder().configuration("bell", "silent", "main bell"));
    assertEquals(
        "main bell=silent: nobody hears it; allowed: loud or low, or off", refusal.getMessage());
  }

  @Test
  void check_refuses_soDoPlanAndInstall() {
    harness.environment.put("LASTCALL_BELL", "loud");
    harness.environment.put("LASTCALL_LATE_REQUESTS", "REJECT");
    configure(new Bell("bell"));
    String message = "bell=loud (environment LASTCALL_BELL): it is for those who are served";
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, harness.builder()::plan).getMessage());
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, harness::install).getMessage());
    assertEquals(List.of(), harness.events);
  }

  @Test
  void start_oneFails_theOthersAreClosedAndInstallIsUndone() {
    Exception refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> install(new Bell("first"), new Bell("second"), new Bell("broken")));
    assertEquals("broken", refusal.getMessage());
    assertEquals(
        List.of("start first", "start second", "close second", "close first"), harness.events);
    assertTrue(harness.jvm.claim());
  }

  @Test
  void close_atTheEnd_comesAfterEverythingElseAndHasADeadline() {
    Bell bell = new Bell("bell");
    harness.builder().step(Phase.EXIT, "flush", harness.event("flushed"));
    install(bell);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    int last = harness.events.size() - 1;
    assertEquals(List.of("completed", "close bell"), harness.events.subList(last - 1, last + 1));
    assertTrue(harness.events.contains("flushed"));
    assertTrue(!bell.deadline.remaining().isZero());
  }

  @Test
  void shutdown_isAnnouncedAndReportedInThisOrder() {
    Bell bell = new Bell("bell");
    install(bell);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of("began SIGTERM", "reported CLEAN"), bell.shutdown);
  }

  /** The process quits: no report follows. */
  @Test
  void signal_beforeStartUpIsOver_announcesNoShutdown() {
    Bell bell = new Bell("bell");
    harness.builder().awaitStarted();
    install(bell);
    harness.jvm.raise("TERM");
    harness.jvm.awaitEnding();
    assertEquals(List.of(), bell.shutdown);
  }

  @Test
  void halt_isAnnouncedATenthOfASecondBefore() {
    Bell bell = new Bell("bell");
    FakeServer server = new FakeServer("web", harness);
    server.connections.add(Harness::hang);
    harness.builder().server(server);
    install(bell);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServingWithConnections();
    passWatch(28_600);
    log.awaitLogged("KEEP_SERVING is late");
    harness.ticker.awaitParkedUntil("lastcall-watch", Duration.ofMillis(28_900));
    assertEquals(List.of("began SIGTERM"), bell.shutdown);
    harness.ticker.advanceTo(Duration.ofMillis(28_900));
    Awaitility.await()
        .until(
            () ->
                bell.shutdown.equals(
                    List.of("began SIGTERM", "halting KEEP_SERVING is late; still running:")));
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  private void passWatch(long millis) {
    Duration then = Duration.ofMillis(millis);
    harness.ticker.awaitParkedUntil("lastcall-watch", then);
    harness.ticker.advanceTo(then);
  }

  @Test
  void close_fails_harmsNothing() {
    install(new Bell("bell"), new Bell("hoarse"));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(harness.events.contains("close bell"));
    log.assertLogged("An extension failed");
  }

  @Test
  void readinessChanged_onEachChange_isCalled() {
    Bell bell = new Bell("bell");
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = install(bell);
    shutdown.started();
    bell.awaitReadiness(true);
    shutdown.takeOutOfService(true);
    bell.awaitReadiness(false);
    shutdown.takeOutOfService(false);
    bell.awaitReadiness(true);
    Condition cache =
        shutdown.probes().condition(ProbeKind.READINESS, "cache", () -> Optional.of("cold"));
    bell.awaitReadiness(false);
    cache.close();
    bell.awaitReadiness(true);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    bell.awaitReadiness(false);
    harness.jvm.awaitEnding();
  }

  @Test
  void readinessChanged_policyImmediate_isCalledAtTheTrigger() {
    Bell bell = new Bell("bell");
    configure(bell);
    harness.builder().readinessPolicy(ReadinessPolicy.IMMEDIATE);
    harness.install();
    Harness.join(harness.jvm.raise("TERM"));
    bell.awaitReadiness(false);
    harness.passKeepServing();
    harness.jvm.awaitEnding();
  }

  /** It rings when it is told something. */
  private final class Bell implements Extension, Extension.Running {
    final List<String> values = new CopyOnWriteArrayList<>();
    final List<String> shutdown = new CopyOnWriteArrayList<>();
    final List<Boolean> readiness = new CopyOnWriteArrayList<>();
    private final String name;
    private Optional<Probes> probes = Optional.empty();
    volatile Deadline deadline = Deadline.after(Deadline.LONGEST, Ticker.system());

    Bell(String name) {
      this.name = name;
    }

    void awaitReadiness(boolean wanted) {
      Awaitility.await()
          .until(() -> !readiness.isEmpty() && readiness.get(readiness.size() - 1).equals(wanted));
    }

    @Override
    public List<Setting<?>> settings() {
      return name.equals("bell") ? List.of(BELL) : List.of();
    }

    @Override
    public void check(ShutdownPlan plan) {
      if (plan.value(Setting.LATE_REQUESTS).text().equals("REJECT")) {
        throw plan.value(BELL).refusal("it is for those who are served", null);
      }
    }

    @Override
    public Running start(ShutdownPlan plan, Probes served, Ticker ticker) {
      if (name.equals("broken")) {
        throw new IllegalArgumentException(name);
      }
      harness.events.add("start " + name);
      settings().forEach(setting -> values.add(plan.value(setting).text()));
      probes = Optional.of(served);
      return this;
    }

    @Override
    public void began(Trigger trigger) {
      shutdown.add("began " + trigger.reason());
    }

    @Override
    public void reported(ShutdownReport report) {
      shutdown.add("reported " + report.outcome());
    }

    @Override
    public void halting(String hanging) {
      shutdown.add("halting " + hanging.lines().findFirst().orElse(""));
    }

    @Override
    public void readinessChanged() {
      readiness.add(probes.orElseThrow().isReady());
    }

    @Override
    public void close(Deadline until) {
      harness.events.add("close " + name);
      deadline = until;
      if (name.equals("hoarse")) {
        throw new IllegalStateException(name);
      }
    }
  }
}
