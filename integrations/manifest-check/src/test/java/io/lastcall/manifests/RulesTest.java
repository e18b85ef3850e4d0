package io.lastcall.manifests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RulesTest {
  private static final Path PAGE = Path.of("../../docs/manifest-check.md");

  static List<Finding> findings(String manifest) {
    ManifestReader reader = new ManifestReader();
    reader.readText("web.yaml", manifest);
    assertEquals(List.of(), reader.problems);
    return ManifestCheck.findings(reader.objects, new Plans(Map.of()));
  }

  static Stream<Cases.Case> cases() {
    return Cases.ALL.stream();
  }

  @Test
  void soundManifests_haveNoFinding() {
    assertEquals(List.of(), findings(Cases.SOUND));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rule_itsCase_isHitOrMissed(Cases.Case tried) {
    List<Finding> findings = findings(tried.manifest());
    assertEquals(
        tried.hit(),
        findings.stream().anyMatch(finding -> finding.rule() == tried.rule()),
        findings::toString);
  }

  @ParameterizedTest
  @EnumSource(names = "PATCH_UNCHECKED", mode = EnumSource.Mode.EXCLUDE) // ManifestCheckTest
  void rule_each_hasAHitAndAMiss(Rule rule) {
    for (boolean hit : List.of(true, false)) {
      assertTrue(
          Cases.ALL.stream().anyMatch(tried -> tried.rule() == rule && tried.hit() == hit),
          () -> rule.id() + (hit ? " hit" : " miss"));
    }
  }

  @Test
  void page_everyRule_hasItsParagraphWithItsSeverity() throws Exception {
    List<String> documented =
        Pattern.compile("(?m)^### (\\S+)\n\n\\*(\\w+)\\.\\* (\\S.*\n)+")
            .matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult found) -> found.group(1) + " " + found.group(2))
            .toList();
    List<String> rules =
        Arrays.stream(Rule.values()).map(rule -> rule.id() + " " + rule.severity.word()).toList();
    assertEquals(rules, documented);
  }

  @Test
  void ignore_annotation_silencesTheRulesItNames() {
    String broken = Cases.SOUND.replace("path: /livez", "path: /readyz").replace("512Mi", "");
    assertEquals(2, findings(broken).size());
    String annotated =
        broken.replaceFirst(
            "namespace: shop}",
            "namespace: shop, annotations: {lastcall.io/ignore: \"liveness-kills-drain, x\"}}");
    assertEquals(
        List.of(Rule.MEMORY_LIMIT_ABSENT),
        findings(annotated).stream().map(Finding::rule).toList());
  }

  @Test
  void message_planThatDoesNotFit_showsCoresArithmetic() {
    String manifest =
        Cases.SOUND.replace(
            "terminationGracePeriodSeconds: 45", "terminationGracePeriodSeconds: 20");
    String slow =
        manifest.replace(
            "value: \"8081\"",
            "value: \"8081\"}\n        - {name: LASTCALL_PROPAGATION_DELAY, value: 20s");
    Finding finding =
        findings(slow).stream()
            .filter(each -> each.rule() == Rule.PLAN_DOES_NOT_FIT)
            .findFirst()
            .orElseThrow();
    assertEquals(14, finding.line());
    assertTrue(
        finding.message().startsWith("The plan does not fit grace-period=20s (the Pod's"),
        finding::message);
    assertTrue(finding.message().contains("propagation-delay       20s"), finding::message);
  }

  /** Two pools, one of which both a variable and an option set, as Spring Boot takes them. */
  @Test
  void message_rolloutThatDoubles_hasTheSumOfItsPools() {
    String manifest =
        Cases.SOUND
            .replace("replicas: 3", "replicas: 10")
            .replace(
                "-XX:+ExitOnOutOfMemoryError",
                "-Ddb.pool.size=20 -Dreports.hikari.maximum-pool-size=5")
            .replace(
                "value: \"8081\"}",
                "value: \"8081\"}\n        - {name: DB_POOL_SIZE, value: \"8\"}");
    Finding finding = findings(manifest).get(0);
    assertEquals(Rule.ROLLOUT_DOUBLES, finding.rule());
    assertTrue(
        finding.message().contains("up to 20 Pods at once in a rollout, not 11"), finding::message);
    assertTrue(
        finding.message().contains("with their pools of 25 that is 500 connections, not 275"),
        finding::message);
  }

  @Test
  void planThatDoesNotFit_hidesNoOtherFinding() {
    String manifest =
        Cases.SOUND
            .replace("path: /livez", "path: /readyz")
            .replace("JAVA_TOOL_OPTIONS", "LASTCALL_NOTHING")
            .replace("value: \"45s\"", "value: \"0s\"")
            .replace("PeriodSeconds: 45", "PeriodSeconds: 0");
    assertEquals(
        List.of(Rule.PLAN_DOES_NOT_FIT, Rule.SETTING_UNKNOWN, Rule.LIVENESS_KILLS_DRAIN),
        findings(manifest).stream().map(Finding::rule).toList());
  }

  @Test
  void environment_ofAConfigMap_counts() {
    String manifest =
        Cases.SOUND.replace("env:\n", "envFrom: [{configMapRef: {name: settings}}]\n        env:\n")
            + """
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings, namespace: shop}
            data:
              LASTCALL_READINESS_HOLD: 5 seconds
            """;
    Finding finding = findings(manifest).get(0);
    assertEquals(Rule.SETTING_REFUSED, finding.rule());
    assertEquals(
        manifest.lines().toList().indexOf("  LASTCALL_READINESS_HOLD: 5 seconds") + 1,
        finding.line());
  }
}
