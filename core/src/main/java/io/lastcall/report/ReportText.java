package io.lastcall.report;

import static java.time.Duration.ZERO;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.StepReport.Result;
import io.lastcall.text.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The report in words; without format strings, as {@link Words}. */
final class ReportText {
  /** Lines of advice in the log, so that the report has at most six lines there. */
  private static final int LOGGED_ADVICE = 2;

  /** Dropped tasks that are named. */
  private static final int DROPPED = 20;

  /** Characters that are shown of foreign text, such as the message of an exception. */
  private static final int LONGEST = 500;

  private final ShutdownReport report;

  ReportText(ShutdownReport report) {
    this.report = report;
  }

  String summary() {
    List<String> parts = new ArrayList<>(List.of(outcome()));
    parts.addAll(traffic());
    parts.addAll(failures());
    return String.join("; ", parts);
  }

  /**
   * Outcome, phases, requests, failures, advice; the outcome alone where a JVM without requests
   * simply ended, as a command-line tool or a test does.
   */
  List<String> lines() {
    RequestTotals requests = report.requests();
    List<String> lines = new ArrayList<>(List.of(outcome()));
    if (report.trigger().kind() == Trigger.Kind.JVM_EXIT
        && report.outcome() == Outcome.CLEAN
        && requests.served() + requests.refused() == 0
        && report.work().stream().noneMatch(ReportText::isWorth)
        && report.finishedSources().isEmpty()) {
      return lines;
    }
    lines.add(phases());
    lines.add(String.join("; ", traffic()));
    List<String> failures = failures();
    if (!failures.isEmpty()) {
      lines.add(String.join("; ", failures));
    }
    report.advice().stream().limit(LOGGED_ADVICE).forEach(text -> lines.add("advice: " + text));
    return lines;
  }

  String terminationMessage() {
    List<String> lines = new ArrayList<>(List.of("Shutdown " + outcome()));
    lines.addAll(failures());
    report.advice().forEach(text -> lines.add("advice: " + text));
    lines.addAll(traffic());
    for (InFlightRequest request : report.unfinished()) {
      lines.add(
          "unfinished: "
              + oneLine(request.description())
              + request.age().map(age -> " (" + Words.of(age) + " old)").orElse("")
              + request.thread().map(thread -> ", on " + thread.getName()).orElse(""));
    }
    lines.add(phases());
    return String.join("\n", lines) + "\n";
  }

  private String outcome() {
    return outcomeWords()
        + " after "
        + report.took().toMillis()
        + " ms ("
        + oneLine(report.trigger().reason())
        + "), exit code "
        + (report.exitCodeIsOurs() ? report.exitCode() : "left as it is");
  }

  private String outcomeWords() {
    return report.outcome() == Outcome.HANDED_BACK
        ? "with work handed back"
        : report.outcome().name().toLowerCase(Locale.ROOT);
  }

  /**
   * The parts add up to the whole: START is what came before the first phase, REPORT what was
   * recorded between the phases and after the last.
   */
  private String phases() {
    Duration start = report.phases().stream().findFirst().map(PhaseReport::began).orElse(ZERO);
    Duration records = report.took().minus(start);
    List<String> parts = new ArrayList<>();
    addPart(parts, "START", start);
    for (PhaseReport phase : report.phases()) {
      parts.add(phase.phase() + " " + Words.of(phase.took()));
      records = records.minus(phase.took());
    }
    addPart(parts, "REPORT", records);
    return String.join(", ", parts);
  }

  private static void addPart(List<String> parts, String name, Duration took) {
    if (took.toMillis() > 0) {
      parts.add(name + " " + Words.of(took));
    }
  }

  private static boolean isWorth(WorkReport work) {
    return work.finished() + work.abandoned() + work.refused() > 0;
  }

  private List<String> traffic() {
    RequestTotals requests = report.requests();
    List<String> parts = new ArrayList<>();
    parts.add(
        "requests served "
            + requests.served()
            + ", late "
            + requests.late()
            + ", refused "
            + requests.refused()
            + ", abandoned "
            + requests.abandoned()
            + byClients(requests.abandonedByClients())
            + " since the trigger"
            + after("; last new request", requests.lastArrival())
            + after(", last new connection", requests.lastConnection()));
    for (WorkReport work : report.work()) {
      if (isWorth(work)) {
        parts.add(
            "work '"
                + work.name()
                + "' finished "
                + work.finished()
                + ", abandoned "
                + work.abandoned()
                + (work.refused() > 0 ? ", refused " + work.refused() : ""));
      }
    }
    if (!report.finishedSources().isEmpty()) {
      parts.add("work sources finished: " + String.join(", ", report.finishedSources()));
    }
    if (!report.handedBack().isEmpty()) {
      parts.add(
          "handed back, for another process to go on with: "
              + String.join(", ", report.handedBack()));
    }
    List<String> dropped = report.droppedTasks();
    if (!dropped.isEmpty()) {
      String named = dropped.stream().limit(DROPPED).collect(Collectors.joining(", "));
      parts.add("tasks dropped: " + dropped.size() + ", " + named);
    }
    Map<String, Long> closed = new TreeMap<>(report.connectionsClosed());
    if (!closed.isEmpty()) {
      parts.add(
          closed.entrySet().stream()
              .map(kind -> Words.counted(kind.getValue(), inWords(kind.getKey())))
              .collect(Collectors.joining(", ", "ended ", "")));
    }
    if (report.connectionsAbandoned() > 0) {
      parts.add("long-lived connections abandoned " + report.connectionsAbandoned());
    }
    return parts;
  }

  /** Returns what one connection of a kind is called. */
  private static String inWords(String kind) {
    return switch (kind) {
      case "sse" -> "event stream";
      case "grpc-stream" -> "gRPC stream";
      case "websocket" -> "WebSocket";
      default -> kind + " connection";
    };
  }

  private static String byClients(long gone) {
    return gone == 0
        ? ""
        : ", " + gone + " abandoned by " + (gone == 1 ? "its client" : "their clients");
  }

  private static String after(String what, Optional<Duration> time) {
    return time.map(last -> what + " after " + last.toMillis() + " ms").orElse("");
  }

  private List<String> failures() {
    List<String> failures = new ArrayList<>();
    for (PhaseReport phase : report.phases()) {
      if (!phase.complete()) {
        failures.add(phase.phase() + " incomplete" + cause(phase.phase()));
      }
    }
    for (StepReport step : report.steps()) {
      if (step.result() == Result.TIMED_OUT) {
        failures.add("step " + step.name() + " timed out after " + Words.of(step.took()));
      } else if (step.result() == Result.FAILED) {
        failures.add("step " + step.name() + " failed: " + step.failureText().orElse(""));
      }
    }
    report.problems().forEach(problem -> failures.add(oneLine(problem)));
    return failures;
  }

  /** Returns what outlived the phase, and the setting that gives it longer. */
  private String cause(Phase phase) {
    long requests = report.requests().abandoned();
    long open = report.connectionsAbandoned();
    if (phase == Phase.DRAIN && requests > 0) {
      return ": "
          + Words.counted(requests, "request")
          + " still running; bound them, or raise "
          + drainSetting();
    }
    if (phase == Phase.DRAIN && !report.handedBack().isEmpty()) {
      return ": work was handed back; make its pieces smaller, or raise " + drainSetting();
    }
    return phase == Phase.CLOSE_CONNECTIONS && open > 0
        ? ": "
            + Words.counted(open, "long-lived connection")
            + " still open; raise close-timeout ("
            + Words.of(report.plan().closeTimeout())
            + ")"
        : "";
  }

  private String drainSetting() {
    if (report.trigger().kind() == Trigger.Kind.JVM_EXIT) {
      return "exit-drain-timeout";
    }
    return report.plan().drainsWhatRemains() ? "grace-period" : "drain-timeout";
  }

  /** Returns foreign text on one line, cut if it is long. */
  static String oneLine(String words) {
    String few = words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "...";
    return few.replace('\n', ' ').replace('\r', ' ');
  }
}
