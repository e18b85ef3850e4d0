package io.lastcall.kubernetes;

import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What an Event says.
 *
 * @param reason as {@code kubectl get events} shows it
 * @param warning whether its type is Warning and not Normal
 * @param annotations the numbers of the message, for programs
 */
record PodEvent(
    Instant time, String reason, boolean warning, String message, Map<String, String> annotations) {
  private static final String PREFIX = "lastcall.io/";

  /** What the newer API, {@code events.k8s.io/v1}, allows a note to have. */
  private static final int LONGEST = 1024;

  static PodEvent began(Trigger trigger, ShutdownPlan plan) {
    Duration limit = plan.untilHalt();
    Instant now = now();
    Instant goneBy = now.plus(plan.gracePeriod()).plusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
    return new PodEvent(
        now,
        "LastcallBegan",
        false,
        "Shutdown begun by " + trigger.reason() + ", gone in " + limit.toSeconds() + " s at most",
        Map.of(PREFIX + "killed-by", goneBy.toString()));
  }

  static PodEvent reported(ShutdownReport report) {
    String advice =
        report.advice().stream().map(text -> "; advice: " + text).collect(Collectors.joining());
    Map<String, String> annotations = new LinkedHashMap<>();
    ShutdownPlan plan = report.plan();
    report
        .requests()
        .lastConnection()
        .ifPresent(
            last ->
                annotations.put(
                    PREFIX + "last-connection-seconds", seconds(last.plus(plan.preStopDelay()))));
    annotations.put(PREFIX + "propagation-delay-seconds", seconds(plan.propagationDelay()));
    boolean good = report.outcome() == Outcome.CLEAN || report.outcome() == Outcome.HANDED_BACK;
    return new PodEvent(
        now(),
        "Lastcall" + words(report.outcome()),
        !good,
        "Shutdown " + report.summary() + advice,
        annotations);
  }

  static PodEvent halting(String hanging) {
    return new PodEvent(
        now(), "LastcallHalted", true, "Shutdown halted at the deadline: " + hanging, Map.of());
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case CLEAN -> "Clean";
      case HANDED_BACK -> "HandedBack";
      case INCOMPLETE -> "Incomplete";
      case HALTED -> "Halted";
    };
  }

  private static String seconds(Duration duration) {
    return String.valueOf(duration.toMillis() / 1000.0);
  }

  /**
   * Returns the object that is posted. Its name is made by the API server.
   *
   * @param about which object's Events {@code kubectl describe} shows it among
   */
  String json(ObjectRef about, ObjectRef pod, String namespace) {
    String text = pod.name() + ": " + message;
    String marks =
        annotations.entrySet().stream()
            .map(entry -> Json.quoted(entry.getKey()) + ":" + Json.quoted(entry.getValue()))
            .collect(Collectors.joining(","));
    return """
        {"apiVersion":"v1","kind":"Event","type":"%s","reason":"%s","message":%s,"count":1,
        "firstTimestamp":"%s","lastTimestamp":"%s","source":{"component":"lastcall"},
        "metadata":{"generateName":%s,"namespace":%s,"annotations":{%s}},
        "involvedObject":%s,"related":%s}
        """
        .formatted(
            warning ? "Warning" : "Normal",
            reason,
            Json.quoted(text.substring(0, Math.min(LONGEST, text.length()))),
            time,
            time,
            Json.quoted(pod.name() + "."),
            Json.quoted(namespace),
            marks,
            about.json(namespace),
            pod.json(namespace));
  }
}
