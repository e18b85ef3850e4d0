package io.lastcall.probe;

import io.lastcall.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The conditions a probe depends on, and how they stand.
 *
 * @param kind which probe
 * @param conditions all of them, or up to the one that made the others meaningless
 */
record ProbeReport(ProbeKind kind, List<Condition> conditions) {

  /** One line of it. */
  record Condition(String name, CheckResult result) {}

  boolean isUp() {
    return conditions.stream().allMatch(condition -> condition.result().isUp());
  }

  ProbeAnswer answer(ProbeRequest request) {
    int status = isUp() ? 200 : 503;
    if (request.wantsJson()) {
      return ProbeAnswer.json(status, json());
    }
    // As kube-apiserver has it: what failed is named also when nobody asked for details.
    return ProbeAnswer.text(status, isUp() && !request.isVerbose() ? "ok\n" : lines());
  }

  private String lines() {
    StringBuilder text = new StringBuilder();
    for (Condition condition : conditions) {
      CheckResult result = condition.result();
      text.append(result.isUp() ? "[+]" : "[-]").append(condition.name());
      text.append(result.isUp() ? " ok" : " failed: " + oneLine(result.reason())).append('\n');
    }
    return text.append(kind).append(isUp() ? " check passed\n" : " check failed\n").toString();
  }

  private static String oneLine(String reason) {
    return reason.replaceAll("\\p{Cntrl}+", " ");
  }

  /** The shape of MicroProfile Health 4.0, "Response Codes and status mappings". */
  private String json() {
    List<Map<String, Object>> checks = conditions.stream().map(ProbeReport::json).toList();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("status", status(isUp()));
    report.put("checks", checks);
    return Json.write(report);
  }

  private static Map<String, Object> json(Condition condition) {
    CheckResult result = condition.result();
    Map<String, Object> data = new LinkedHashMap<>();
    if (!result.reason().isEmpty()) {
      data.put("reason", result.reason());
    }
    result.data().forEach((name, value) -> data.put(name, plain(value)));
    Map<String, Object> check = new LinkedHashMap<>();
    check.put("name", condition.name());
    check.put("status", status(result.isUp()));
    if (!data.isEmpty()) {
      check.put("data", data);
    }
    return check;
  }

  /** Whatever the application put in, the probe is answered; JSON knows no NaN. */
  private static Object plain(Object value) {
    boolean number = value instanceof Number n && Double.isFinite(n.doubleValue());
    if (number || value instanceof Boolean) {
      return value;
    }
    try {
      return value.toString();
    } catch (RuntimeException e) {
      return value.getClass().getName();
    }
  }

  private static String status(boolean up) {
    return up ? "UP" : "DOWN";
  }
}
