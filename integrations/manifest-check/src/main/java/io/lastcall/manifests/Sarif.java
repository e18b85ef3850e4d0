package io.lastcall.manifests;

import io.lastcall.text.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings as SARIF 2.1.0 (OASIS), which code hosts show beside the lines. */
final class Sarif {
  private Sarif() {}

  static String write(List<Finding> findings, List<Problem> problems) {
    return Json.write(
        object(
            "version", "2.1.0",
            "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
            "runs",
                List.of(
                    object(
                        "tool", object("driver", driver()),
                        "invocations", List.of(invocation(problems)),
                        "results", findings.stream().map(Sarif::result).toList()))));
  }

  private static Map<String, Object> driver() {
    List<Map<String, Object>> rules =
        Arrays.stream(Rule.values())
            .map(
                rule ->
                    object(
                        "id", rule.id(),
                        "shortDescription", text(rule.title),
                        "defaultConfiguration", object("level", rule.severity.word())))
            .toList();
    return object("name", "lastcall-manifests", "rules", rules);
  }

  private static Map<String, Object> invocation(List<Problem> problems) {
    return object(
        "executionSuccessful", problems.isEmpty(),
        "toolExecutionNotifications",
            problems.stream()
                .map(
                    problem ->
                        object(
                            "level", "error",
                            "message", text(problem.message()),
                            "locations", List.of(location(problem.file(), problem.line()))))
                .toList());
  }

  private static Map<String, Object> result(Finding finding) {
    return object(
        "ruleId", finding.rule().id(),
        "level", finding.rule().severity.word(),
        "message", text(finding.message()),
        "locations", List.of(location(finding.file(), finding.line())));
  }

  private static Map<String, Object> location(String file, int line) {
    return object(
        "physicalLocation",
        object(
            "artifactLocation", object("uri", file.replace(" ", "%20")),
            "region", object("startLine", line)));
  }

  private static Map<String, Object> text(String text) {
    return object("text", text);
  }

  private static Map<String, Object> object(Object... members) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      object.put(members[i].toString(), members[i + 1]);
    }
    return object;
  }
}
