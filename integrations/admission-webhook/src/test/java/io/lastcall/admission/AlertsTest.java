package io.lastcall.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The alert rules, and that they ask for series that there are. */
class AlertsTest {
  private static final Path ALERTS = Path.of("alerts");

  private static Optional<Path> promtool() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "promtool"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @Test
  void rules_inEachCase_fireWhereTheyShould() throws Exception {
    Optional<Path> promtool = promtool();
    assumeTrue(
        promtool.isPresent(),
        "There is no promtool on the PATH (Debian: prometheus): the alert rules are not tried");
    Process process =
        new ProcessBuilder(
                promtool.get().toString(), "test", "rules", "prometheus-alerts-test.yaml")
            .directory(ALERTS.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.contains("SUCCESS"), output);
  }

  /** An increase is seen only of a counter that was there before. */
  @Test
  void rules_eachReason_isACounterFromTheStart() throws Exception {
    String rules = Files.readString(ALERTS.resolve("prometheus-alerts.yaml"));
    List<String> reasons =
        Pattern.compile("reason=~?\"([a-z_|]+)\"")
            .matcher(rules)
            .results()
            .map((MatchResult found) -> found.group(1))
            .flatMap(group -> Stream.of(group.split("\\|")))
            .toList();
    assertEquals(8, reasons.size(), reasons::toString);
    String metrics = new Metrics().text();
    for (String reason : reasons) {
      for (String verb : List.of("delete", "evict")) {
        assertTrue(
            metrics
                .lines()
                .anyMatch(
                    line ->
                        line.contains("verb=\"" + verb + "\"")
                            && line.contains("reason=\"" + reason + "\"")
                            && line.endsWith("} 0")),
            reason);
      }
    }
  }

  /** Each alert has a case in which it fires. */
  @Test
  void rules_eachAlert_hasACase() throws Exception {
    String rules = Files.readString(ALERTS.resolve("prometheus-alerts.yaml"));
    String cases = Files.readString(ALERTS.resolve("prometheus-alerts-test.yaml"));
    List<String> alerts =
        Pattern.compile("alert: (\\w+)").matcher(rules).results().map(it -> it.group(1)).toList();
    assertEquals(5, alerts.size());
    for (String alert : alerts) {
      assertTrue(cases.contains("alertname: " + alert + "\n        exp_alerts:"), alert);
    }
  }
}
