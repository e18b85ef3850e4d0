package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.inflight.Permit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.test.TestShutdown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The simulated process: its time, its signals, its settings, its end. */
@Timeout(120)
class ProcessTest {
  private static final class Request extends Permit {
    @Override
    protected String description() {
      return "GET /orders";
    }
  }

  private static Set<String> libraryThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("lastcall-") && !name.startsWith("lastcall-step"))
        .filter(name -> !name.equals("lastcall-log"))
        .collect(Collectors.toSet());
  }

  private static void step(GracefulShutdown shutdown, Phase phase, String name) {
    shutdown.step(phase, name, context -> {});
  }

  /** Two in a row in one JVM, and more: the process does not end, and nothing of it stays. */
  @RepeatedTest(10)
  void close_afterTheEnd_leavesNothing() {
    List<String> events = new ArrayList<>();
    try (TestShutdown test = TestShutdown.install(builder -> {})) {
      test.shutdown().listener(listener(events));
      step(test.shutdown(), Phase.EXIT, "last");
      step(test.shutdown(), Phase.KEEP_SERVING, "first");
      test.signal("TERM");
      ShutdownReport report = test.finish();
      assertEquals(Outcome.CLEAN, report.outcome());
      assertEquals(List.of("first", "last"), test.ran());
      assertEquals(report.steps(), test.steps());
      assertEquals(12, events.size(), events::toString);
      assertEquals(OptionalInt.of(143), test.exitCode()); // no router knew of it
    }
    assertEquals(Set.of(), libraryThreads());
  }

  private static ShutdownListener listener(List<String> events) {
    return new ShutdownListener() {
      @Override
      public void began(Trigger trigger) {
        events.add("began " + trigger);
      }

      @Override
      public void phaseStarted(Phase phase) {
        events.add("+" + phase);
      }

      @Override
      public void phaseEnded(PhaseReport report) {
        events.add("-" + report.phase());
      }

      @Override
      public void completed(ShutdownReport report) {
        events.add("completed");
      }
    };
  }

  @Test
  void close_notBegun_uninstalls() {
    TestShutdown test = TestShutdown.install(builder -> builder.step(Phase.EXIT, "x", c -> {}));
    test.advance(Duration.ofMinutes(1));
    assertThrows(IllegalStateException.class, test::finish);
    test.close();
    test.close();
    assertEquals(List.of(), test.ran());
    assertEquals(OptionalInt.empty(), test.exitCode());
    assertTrue(test.shutdown().completion().isCompletedExceptionally());
    assertEquals(Set.of(), libraryThreads());
  }

  @Test
  void close_begun_runsTheRest() {
    TestShutdown test =
        TestShutdown.install(
            builder ->
                builder
                    .propagationDelay(Duration.ofSeconds(15))
                    .step(Phase.CLOSE_CONNECTIONS, "pool", context -> {}));
    test.signal("TERM");
    assertEquals(List.of(), test.ran());
    test.close();
    assertEquals(List.of("pool"), test.ran());
  }

  @Test
  void install_twoAtOnce_areIndependent() {
    try (TestShutdown one = TestShutdown.install(builder -> {});
        TestShutdown other = TestShutdown.install(builder -> {})) {
      one.signal("TERM");
      one.finish();
      assertFalse(other.shutdown().isShuttingDown());
      other.signal("INT");
      other.finish();
      assertEquals(OptionalInt.of(130), other.exitCode());
    }
  }

  @Test
  void advance_requestInFlight_holdsTheDrainUntilItEnds() {
    try (TestShutdown test =
        TestShutdown.install(builder -> builder.propagationDelay(Duration.ofSeconds(15)))) {
      Request request = new Request();
      assertTrue(test.shutdown().gate().enter(request));
      test.advance(Duration.ofMinutes(1));
      test.signal("TERM");
      test.advanceTo(Duration.ofSeconds(18));
      assertEquals(Phase.DRAIN, test.shutdown().phase().orElseThrow());
      assertTrue(request.release());
      ShutdownReport report = test.finish();
      assertEquals(1, report.requests().served());
      assertEquals(Duration.ofSeconds(18), test.elapsed());
      assertEquals(OptionalInt.of(0), test.exitCode());
    }
  }

  @Test
  void advance_adaptive_hasFiveMinutesOfHistory() {
    try (TestShutdown test =
        TestShutdown.install(
            builder ->
                builder.adaptivePropagation(Duration.ofSeconds(5), Duration.ofSeconds(15)))) {
      test.advance(Duration.ofMinutes(6));
      test.signal("TERM");
      test.advanceTo(Duration.ofSeconds(5));
      assertEquals(Duration.ofSeconds(5), test.elapsed());
      test.finish();
    }
  }

  @Test
  void signal_beforeStarted_exitsAtOnce() {
    try (TestShutdown test = TestShutdown.install(builder -> builder.awaitStarted())) {
      test.signal("TERM");
      assertEquals(OptionalInt.of(143), test.exitCode());
      assertThrows(AssertionError.class, test::finish);
    }
    assertEquals(Set.of(), libraryThreads());
  }

  @Test
  void signal_notHandled_isRefused() {
    try (TestShutdown test = TestShutdown.install(builder -> builder.stopSignals("USR1"))) {
      assertThrows(IllegalArgumentException.class, () -> test.signal("HUP"));
      test.signal("USR1");
      assertTrue(test.shutdown().isShuttingDown());
    }
  }

  @Test
  void advance_backwards_isRefused() {
    try (TestShutdown test = TestShutdown.install(builder -> {})) {
      test.advance(Duration.ofSeconds(5));
      assertThrows(IllegalArgumentException.class, () -> test.advanceTo(Duration.ofSeconds(4)));
    }
  }

  @Test
  void install_settingsOfTheMachine_areNotRead() {
    System.setProperty("lastcall.grace-period", "77s");
    try (TestShutdown test = TestShutdown.install(builder -> {})) {
      assertEquals(Duration.ofSeconds(30), test.shutdown().plan().gracePeriod());
    } finally {
      System.clearProperty("lastcall.grace-period");
    }
  }

  @Test
  void install_settingsOfTheTest_areRead() {
    Properties properties = new Properties();
    properties.setProperty("lastcall.reserve", "2s");
    Map<String, String> environment = Map.of("LASTCALL_GRACE_PERIOD", "60s");
    try (TestShutdown test = TestShutdown.install(environment, properties, builder -> {})) {
      assertEquals(Duration.ofSeconds(60), test.shutdown().plan().gracePeriod());
      assertEquals(Duration.ofSeconds(2), test.shutdown().plan().reserve());
    }
  }

  @Test
  void install_planDoesNotFit_isRefused() {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                TestShutdown.install(
                    Map.of("LASTCALL_GRACE_PERIOD", "never"), new Properties(), builder -> {}));
    assertTrue(refusal.toString().contains("LASTCALL_GRACE_PERIOD"), refusal::toString);
    assertEquals(Set.of(), libraryThreads());
  }
}
