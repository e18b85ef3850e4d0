package io.lastcall.report;

import io.lastcall.plan.ShutdownPlan;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The report as JSON. Names are only ever added; {@code docs/report.md} describes each. Durations
 * are milliseconds.
 */
final class ReportJson {
  /** Raised when a name changes or goes. */
  private static final int SCHEMA = 2;

  private ReportJson() {}

  static String unfinished() {
    return Json.write(map("schema", SCHEMA, "outcome", "UNFINISHED"));
  }

  static String halted(String phase, String hanging) {
    Map<String, Object> json = map("schema", SCHEMA, "outcome", Outcome.HALTED);
    json.put("exitCode", ShutdownPlan.HALTED_EXIT_CODE);
    json.put("phase", phase);
    json.put("problems", List.of(hanging));
    return Json.write(json);
  }

  static String of(ShutdownReport report) {
    Map<String, Object> json = map("schema", SCHEMA, "outcome", report.outcome());
    json.put("exitCode", report.exitCodeIsOurs() ? report.exitCode() : null);
    json.put("began", report.began().toString());
    json.put("took", report.took());
    json.put("trigger", map("kind", report.trigger().kind(), "reason", report.trigger().reason()));
    json.put("summary", report.summary());
    json.put(
        "advice",
        Advice.of(report).stream().map(it -> map("kind", it.kind(), "text", it.text())).toList());
    json.put("problems", report.problems());
    json.put("phases", report.phases().stream().map(ReportJson::phase).toList());
    json.put("steps", report.steps().stream().map(ReportJson::step).toList());
    json.put("requests", requests(report.requests()));
    json.put(
        "unfinished",
        report.unfinished().stream()
            .map(
                request ->
                    map(
                        "description", request.description(),
                        "age", request.age(),
                        "thread", request.thread().map(Thread::getName)))
            .toList());
    json.put("work", report.work().stream().map(ReportJson::work).toList());
    json.put("finishedSources", report.finishedSources());
    json.put("handedBack", report.handedBack());
    json.put("droppedTasks", report.droppedTasks());
    json.put(
        "connections",
        map(
            "closed",
            new TreeMap<>(report.connectionsClosed()),
            "abandoned",
            report.connectionsAbandoned()));
    Map<String, Object> plan = map();
    report.plan().values().forEach(value -> plan.put(value.name(), value.json()));
    json.put("plan", plan);
    return Json.write(json);
  }

  private static Map<String, Object> phase(PhaseReport phase) {
    return map(
        "phase", phase.phase(),
        "began", phase.began(),
        "planned", phase.planned(),
        "took", phase.took(),
        "complete", phase.complete());
  }

  private static Map<String, Object> step(StepReport step) {
    return map(
        "phase", step.phase(),
        "name", step.name(),
        "order", step.order(),
        "began", step.began(),
        "took", step.took(),
        "result", step.result(),
        "failure", step.failureText());
  }

  private static Map<String, Object> requests(RequestTotals requests) {
    return map(
        "served", requests.served(),
        "late", requests.late(),
        "refused", requests.refused(),
        "abandoned", requests.abandoned(),
        "abandonedByClients", requests.abandonedByClients(),
        "lastArrival", requests.lastArrival(),
        "lastConnection", requests.lastConnection());
  }

  private static Map<String, Object> work(WorkReport work) {
    return map(
        "name", work.name(),
        "finished", work.finished(),
        "abandoned", work.abandoned(),
        "refused", work.refused());
  }

  private static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
