package io.lastcall.report;

import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The report in words. Built with nothing that is slow at its first use: it stands between the last
 * response and the exit.
 */
final class ReportText {
  private final ShutdownReport report;

  ReportText(ShutdownReport report) {
    this.report = report;
  }

  String summary() {
    return outcome() + "; " + requests() + connections("; ") + failures("; ");
  }

  String terminationMessage() {
    StringBuilder text = new StringBuilder("Shutdown ").append(outcome()).append(failures("\n"));
    for (Advice advice : report.advice()) {
      text.append("\nadvice: ").append(advice.text());
    }
    text.append('\n').append(requests()).append(connections("\n"));
    for (UnfinishedRequest request : report.unfinished()) {
      text.append("\nunfinished: ").append(describe(request));
      request.thread().ifPresent(thread -> text.append(", on ").append(thread));
    }
    for (PhaseReport phase : report.phases()) {
      text.append('\n').append(phase.phase()).append(' ').append(duration(phase.took()));
    }
    return text.append('\n').toString();
  }

  private String outcome() {
    return report.outcome().name().toLowerCase(Locale.ROOT)
        + " after "
        + report.took().toMillis()
        + " ms ("
        + oneLine(report.trigger().reason())
        + "), exit code "
        + (report.exitCodeIsOurs() ? report.exitCode() : "of whoever called for the exit");
  }

  private String requests() {
    RequestTotals requests = report.requests();
    return "requests served "
        + requests.served()
        + ", late "
        + requests.late()
        + ", refused "
        + requests.refused()
        + ", abandoned "
        + requests.abandoned()
        + requests
            .lastArrival()
            .map(last -> "; last new request after " + last.toMillis() + " ms")
            .orElse("")
        + requests
            .lastConnection()
            .map(last -> ", last new connection after " + last.toMillis() + " ms")
            .orElse("");
  }

  private String connections(String before) {
    if (report.connectionsClosed().isEmpty() && report.connectionsAbandoned() == 0) {
      return "";
    }
    String closed =
        report.connectionsClosed().entrySet().stream()
            .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
            .map(kind -> kind.getKey() + " " + kind.getValue())
            .collect(Collectors.joining(", "));
    return before
        + "connections closed "
        + (closed.isEmpty() ? "0" : closed)
        + ", abandoned "
        + report.connectionsAbandoned();
  }

  private String failures(String before) {
    StringBuilder text = new StringBuilder();
    for (PhaseReport phase : report.phases()) {
      if (!phase.complete()) {
        text.append(before).append(phase.phase()).append(" incomplete");
      }
    }
    for (StepReport step : report.steps()) {
      if (step.result() != Result.COMPLETED) {
        text.append(before).append("step ").append(step.name()).append(' ').append(result(step));
      }
    }
    for (String problem : report.problems()) {
      text.append(before).append(problem);
    }
    return text.toString();
  }

  static String result(StepReport step) {
    return switch (step.result()) {
      case COMPLETED -> "completed";
      case TIMED_OUT -> "timed out";
      case FAILED -> "failed: " + oneLine(step.failure().map(ReportText::describe).orElse(""));
    };
  }

  private static String oneLine(String words) {
    return words.replace('\n', ' ').replace('\r', ' ');
  }

  /** Somebody's exception may throw when it is asked for its message. */
  static String describe(Throwable failure) {
    try {
      return failure.toString();
    } catch (Throwable second) {
      return failure.getClass().getName();
    }
  }

  static String describe(UnfinishedRequest request) {
    return request.description()
        + request.age().map(age -> " (" + duration(age) + " old)").orElse("");
  }

  static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  /** Milliseconds below a second, else seconds with the decimals a person needs. */
  static String duration(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (duration.toSeconds() >= 100) {
      return duration.toSeconds() + " s";
    }
    long tenths = (millis + 50) / 100;
    return tenths % 10 == 0 ? tenths / 10 + " s" : tenths / 10 + "." + tenths % 10 + " s";
  }
}
