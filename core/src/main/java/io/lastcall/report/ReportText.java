package io.lastcall.report;

import io.lastcall.phase.Trigger;
import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The report in words. Built with nothing that is slow at its first use: it stands between the last
 * response and the exit.
 */
final class ReportText {
  /** Lines of advice in the log, so that the whole has at most six; the other places have all. */
  private static final int LOGGED_ADVICE = 2;

  /** Characters of what somebody else has written, an exception's message say. */
  private static final int LONGEST = 500;

  /** Dropped tasks that are named. */
  private static final int DROPPED = 20;

  private final ShutdownReport report;

  ReportText(ShutdownReport report) {
    this.report = report;
  }

  String summary() {
    return outcome() + "; " + requests() + work("; ") + connections("; ") + failures("; ", "; ");
  }

  /**
   * For the log: outcome, phases, requests, what went wrong, advice. The outcome alone where a JVM
   * without requests simply ended: a command-line tool, or a test.
   */
  List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(outcome()));
    if (isOfNoService()) {
      return lines;
    }
    lines.add(phases());
    lines.add(requests() + work("; ") + connections("; "));
    String failures = failures("", "; ");
    if (!failures.isEmpty()) {
      lines.add(failures);
    }
    report.advice().stream()
        .limit(LOGGED_ADVICE)
        .forEach(advice -> lines.add("advice: " + advice.text()));
    return lines;
  }

  private boolean isOfNoService() {
    RequestTotals requests = report.requests();
    return report.trigger().kind() == Trigger.Kind.JVM_EXIT
        && report.outcome() == Outcome.CLEAN
        && requests.served() + requests.refused() == 0
        && report.work().isEmpty();
  }

  String terminationMessage() {
    StringBuilder text =
        new StringBuilder("Shutdown ").append(outcome()).append(failures("\n", "\n"));
    for (Advice advice : report.advice()) {
      text.append("\nadvice: ").append(advice.text());
    }
    text.append('\n').append(requests()).append(work("\n")).append(connections("\n"));
    for (UnfinishedRequest request : report.unfinished()) {
      text.append("\nunfinished: ").append(describe(request));
      request.thread().ifPresent(thread -> text.append(", on ").append(thread));
    }
    return text.append('\n').append(phases()).append('\n').toString();
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

  private String phases() {
    return report.phases().stream()
        .map(phase -> phase.phase() + " " + duration(phase.took()))
        .collect(Collectors.joining(", "));
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
        + " since the trigger"
        + requests
            .lastArrival()
            .map(last -> "; last new request after " + last.toMillis() + " ms")
            .orElse("")
        + requests
            .lastConnection()
            .map(last -> ", last new connection after " + last.toMillis() + " ms")
            .orElse("");
  }

  private String work(String before) {
    StringBuilder text = new StringBuilder();
    for (WorkReport each : report.work()) {
      text.append(before)
          .append("work '")
          .append(each.name())
          .append("' finished ")
          .append(each.finished())
          .append(", abandoned ")
          .append(each.abandoned());
    }
    if (!report.handedBack().isEmpty()) {
      text.append(before).append("handed back: ").append(String.join(", ", report.handedBack()));
    }
    if (!report.droppedTasks().isEmpty()) {
      text.append(before)
          .append(counted(report.droppedTasks().size(), "task"))
          .append(" dropped: ")
          .append(report.droppedTasks().stream().limit(DROPPED).collect(Collectors.joining(", ")));
    }
    return text.toString();
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

  private String failures(String before, String between) {
    List<String> failures = new ArrayList<>();
    for (PhaseReport phase : report.phases()) {
      if (!phase.complete()) {
        failures.add(phase.phase() + " incomplete");
      }
    }
    for (StepReport step : report.steps()) {
      if (step.result() != Result.COMPLETED) {
        failures.add("step " + step.name() + ' ' + result(step));
      }
    }
    report.problems().forEach(problem -> failures.add(oneLine(problem)));
    return failures.isEmpty() ? "" : before + String.join(between, failures);
  }

  private static String result(StepReport step) {
    return step.result() == Result.TIMED_OUT
        ? "timed out after " + duration(step.took())
        : "failed: " + step.failureText().orElse("");
  }

  /** Returns words of somebody else's on one line, and not all of very many. */
  static String oneLine(String words) {
    String few = words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "...";
    return few.replace('\n', ' ').replace('\r', ' ');
  }

  /** Somebody's exception may throw when it is asked for its message. */
  static String describe(Throwable failure) {
    try {
      return oneLine(failure.toString());
    } catch (Throwable second) {
      return failure.getClass().getName();
    }
  }

  static String describe(UnfinishedRequest request) {
    return oneLine(request.description())
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
