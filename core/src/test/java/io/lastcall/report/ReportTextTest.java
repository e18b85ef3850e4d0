package io.lastcall.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTextTest {
  @Test
  void lines_ofACleanShutdown_areFour() {
    assertEquals(
        """
        clean after 15042 ms (SIGTERM), exit code 0
        KEEP_SERVING 15 s, FAIL_READINESS 0 ms, DRAIN 40 ms, CLOSE_CONNECTIONS 0 ms, EXIT 2 ms
        requests served 120, late 0, refused 0, abandoned 0 since the trigger; last new request \
        after 6200 ms, last new connection after 3100 ms
        advice: last new connection 3.1 s after the trigger; propagation delay 15 s; 8 s would \
        have been enough this time\
        """,
        String.join("\n", Reports.clean().build().lines()));
  }

  /** On a busy machine the first phase begins late, and the records take their time. */
  @Test
  void lines_phases_addUpToTheWhole() {
    ShutdownReport built = Reports.clean().build();
    ShutdownReport report =
        ShutdownReport.builder(built.plan(), built.trigger())
            .time(built.began(), Duration.ofMillis(13_600))
            .phases(
                List.of(
                    phase(Phase.KEEP_SERVING, 310, 3_600),
                    phase(Phase.FAIL_READINESS, 3_910, 9_500),
                    phase(Phase.DRAIN, 13_450, 30),
                    phase(Phase.CLOSE_CONNECTIONS, 13_490, 10),
                    phase(Phase.EXIT, 13_510, 20)),
                List.of())
            .build();
    assertEquals(
        "START 310 ms, KEEP_SERVING 3.6 s, FAIL_READINESS 9.5 s, DRAIN 30 ms, CLOSE_CONNECTIONS 10"
            + " ms, EXIT 20 ms, REPORT 130 ms",
        report.lines().get(1));
  }

  private static PhaseReport phase(Phase phase, long began, long took) {
    return new PhaseReport(
        phase, Duration.ofMillis(began), Duration.ofMillis(took), Duration.ofMillis(took), true);
  }

  @Test
  void lines_whereMuchWentWrong_areSix() {
    ShutdownReport report =
        Reports.incomplete()
            .unfinished("GET /slow", 31_000)
            .step("consumers", Result.TIMED_OUT, Optional.empty())
            .step("lease", Result.FAILED, Optional.of(new IllegalStateException("not mine")))
            .connections(Map.of(), 2)
            .took(Duration.ofMillis(28_100))
            .build();
    assertEquals(
        """
        incomplete after 28100 ms (SIGTERM), exit code 80
        KEEP_SERVING 15 s, FAIL_READINESS 0 ms, DRAIN 9.8 s, CLOSE_CONNECTIONS 0 ms, EXIT 2 ms, \
        REPORT 3.3 s
        requests served 120, late 0, refused 0, abandoned 1 since the trigger; last new request \
        after 6200 ms, last new connection after 3100 ms; long-lived connections abandoned 2
        DRAIN incomplete: 1 request still running; bound them, or raise grace-period; \
        CLOSE_CONNECTIONS incomplete: 2 long-lived connections still open; raise close-timeout \
        (3.3 s); step consumers timed out after 5 s; step lease failed: \
        java.lang.IllegalStateException: not mine
        advice: took 28.1 s of the 29 s until the process is halted; grace-period 30 s
        advice: last new connection 3.1 s after the trigger; propagation delay 15 s; 8 s would \
        have been enough this time\
        """,
        String.join("\n", report.lines()));
  }

  @Test
  void lines_ofAJvmThatSimplyEnds_areOne() {
    Reports report = Reports.clean().trigger(Kind.JVM_EXIT, "System.exit");
    assertEquals(3, report.build().lines().size(), "it has served requests");
    assertEquals(
        List.of("clean after 15042 ms (System.exit), exit code left as it is"),
        report.noRequests().build().lines());
  }

  @Test
  void failure_messageOfAMillionCharacters_isCutWhereverItIsShown() {
    IllegalStateException failure = new IllegalStateException("x".repeat(1_000_000));
    ShutdownReport report =
        Reports.incomplete().step("lease", Result.FAILED, Optional.of(failure)).build();
    for (String text :
        List.of(
            report.summary(),
            report.terminationMessage(),
            String.join("", report.lines()),
            report.json())) {
      assertTrue(text.contains("xxx..."), () -> text.substring(0, 100));
      assertTrue(text.length() < 3_000, () -> text.length() + " characters");
    }
  }

  @Test
  void summary_messageOfAFailureHasSeveralLines_isOneLine() {
    IllegalStateException failure = new IllegalStateException("refused:\r\n  by the broker\n");
    ShutdownReport report =
        Reports.incomplete().step("lease", Result.FAILED, Optional.of(failure)).build();
    assertEquals(1, report.summary().lines().count(), report.summary());
    assertTrue(report.summary().endsWith("refused:    by the broker "), report.summary());
    assertTrue(
        report.terminationMessage().lines().anyMatch(line -> line.endsWith("by the broker ")),
        report.terminationMessage());
  }

  @Test
  void terminationMessage_beginsWithOutcomeThenWhatWasLateThenAdvice() {
    String message =
        Reports.incomplete()
            .unfinished("GET /slow", 31_000)
            .connections(Map.of("sse", 2L, "websocket", 5L), 1)
            .build()
            .terminationMessage();

    assertEquals(
        """
        Shutdown incomplete after 15042 ms (SIGTERM), exit code 80
        DRAIN incomplete: 1 request still running; bound them, or raise grace-period
        CLOSE_CONNECTIONS incomplete: 1 long-lived connection still open; raise close-timeout (3.3 s)
        advice: last new connection 3.1 s after the trigger; propagation delay 15 s; 8 s would have \
        been enough this time
        requests served 120, late 0, refused 0, abandoned 1 since the trigger; last new request after \
        6200 ms, last new connection after 3100 ms
        ended 2 event streams, 5 WebSockets
        long-lived connections abandoned 1
        unfinished: GET /slow (31 s old), on worker-1
        KEEP_SERVING 15 s, FAIL_READINESS 0 ms, DRAIN 9.8 s, CLOSE_CONNECTIONS 0 ms, EXIT 2 ms
        """,
        message);
  }

  @Test
  void failures_drainTimedOut_countAllRequestsAndNameTheSettingThatBoundIt() {
    assertFailure(
        "DRAIN incomplete: 2345 requests still running; bound them, or raise grace-period",
        Reports.incomplete().unfinished("GET /slow", 31_000).abandoned(2_345));
    assertFailure(
        "DRAIN incomplete: 2 requests still running; bound them, or raise drain-timeout",
        Reports.incomplete().setting("LASTCALL_DRAIN_TIMEOUT", "5s").abandoned(2));
    assertFailure(
        "DRAIN incomplete: 2 requests still running; bound them, or raise exit-drain-timeout",
        Reports.incomplete().trigger(Kind.JVM_EXIT, "System.exit").abandoned(2));
    assertFailure("DRAIN incomplete", Reports.incomplete());
  }

  @Test
  void failures_connectionsStayedOpen_nameTheSettingThatBoundThem() {
    assertFailure(
        "CLOSE_CONNECTIONS incomplete: 2 long-lived connections still open; raise close-timeout"
            + " (3.3 s)",
        Reports.clean().connections(Map.of("websocket", 5L), 2));
  }

  private static void assertFailure(String line, Reports report) {
    List<String> lines = report.build().lines();
    assertTrue(lines.contains(line), lines::toString);
  }

  @Test
  void json_followsTheDocumentedSchema() {
    String json =
        Reports.clean()
            .step("lease", Result.FAILED, Optional.of(new IllegalStateException("\"no\"")))
            .connections(Map.of("websocket", 5L, "sse", 2L), 0)
            .build()
            .json();

    assertTrue(
        json.startsWith(
            "{\"schema\":2,\"outcome\":\"CLEAN\",\"exitCode\":0,"
                + "\"began\":\"2026-11-21T10:15:30Z\",\"took\":15042,"
                + "\"trigger\":{\"kind\":\"STOP_SIGNAL\",\"reason\":\"SIGTERM\"},"
                + "\"summary\":\"clean after 15042 ms"),
        json);
    for (String part :
        new String[] {
          "\"advice\":[{\"kind\":\"SHORTER_DELAY_WAS_ENOUGH\",\"text\":\"last new",
          "\"phases\":[{\"phase\":\"KEEP_SERVING\",\"began\":0,\"planned\":15000,"
              + "\"took\":15000,\"complete\":true},",
          "\"steps\":[{\"phase\":\"DRAIN\",\"name\":\"lease\",\"order\":0,\"began\":15001,"
              + "\"took\":5000,\"result\":\"FAILED\",\"failure\":"
              + "\"java.lang.IllegalStateException: \\\"no\\\"\"}]",
          "\"requests\":{\"served\":120,\"late\":0,\"refused\":0,\"abandoned\":0,"
              + "\"abandonedByClients\":0,\"lastArrival\":6200,\"lastConnection\":3100}",
          "\"unfinished\":[]",
          "\"connections\":{\"closed\":{\"sse\":2,\"websocket\":5},\"abandoned\":0}",
          "\"plan\":{\"grace-period\":30000,\"propagation-delay\":15000,"
        }) {
      assertTrue(json.contains(part), () -> part + "\\nnot in\\n" + json);
    }
  }
}
