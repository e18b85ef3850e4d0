package io.lastcall.probe;

import io.lastcall.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a probe and of each condition that it depends on.
 *
 * @param lines the shutdown's own condition, then the application's unless the first one fails
 */
record ProbeReport(ProbeKind kind, List<Line> lines) {

  /** One condition, and why it does not pass; empty if it does. */
  record Line(String name, Optional<String> failure) {
    boolean isUp() {
      return failure.isEmpty();
    }
  }

  boolean isUp() {
    return lines.stream().allMatch(Line::isUp);
  }

  ProbeAnswer answer(ProbeRequest request) {
    int status = isUp() ? 200 : 503;
    if (request.wantsJson()) {
      return ProbeAnswer.json(status, json());
    }
    // As kube-apiserver does: failures are named without ?verbose, too.
    return ProbeAnswer.text(status, isUp() && !request.isVerbose() ? "ok\n" : text());
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(line.isUp() ? "[+]" : "[-]").append(line.name());
      text.append(line.failure().map(why -> " failed: " + oneLine(why)).orElse(" ok")).append('\n');
    }
    return text.append(kind).append(isUp() ? " check passed\n" : " check failed\n").toString();
  }

  private static String oneLine(String reason) {
    return reason.replaceAll("\\p{Cntrl}+", " ");
  }

  /** The shape of MicroProfile Health 4.0, "Response Codes and status mappings". */
  private String json() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("status", status(isUp()));
    report.put("checks", lines.stream().map(ProbeReport::json).toList());
    return Json.write(report);
  }

  private static Map<String, Object> json(Line line) {
    Map<String, Object> check = new LinkedHashMap<>();
    check.put("name", line.name());
    check.put("status", status(line.isUp()));
    line.failure().ifPresent(why -> check.put("data", Map.of("reason", why)));
    return check;
  }

  private static String status(boolean up) {
    return up ? "UP" : "DOWN";
  }
}
