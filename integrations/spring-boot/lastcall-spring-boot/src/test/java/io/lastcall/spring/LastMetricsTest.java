package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a service's metrics say of its shutdown: while somebody scrapes it, and as it exits. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("all")
class LastMetricsTest {
  private static final String STEP =
      "lastcall_step_seconds_count{outcome=\"completed\",phase=\"exit\",step=\"Ledger.end\"}";

  /**
   * One request is never answered, another comes late: everything is true that an alert is about.
   */
  @Test
  void incompleteShutdown_isScrapedWhileItRunsAndPushedAsItEnds() throws Exception {
    try (Collector collector = new Collector();
        Service service =
            Service.start(
                "--test.holds-readiness=true",
                "--management.server.port=0",
                "--management.endpoints.web.exposure.include=prometheus",
                "--management.otlp.metrics.export.enabled=true",
                "--management.otlp.metrics.export.step=1h",
                "--management.otlp.metrics.export.base-time-unit=seconds",
                "--management.otlp.metrics.export.url=" + collector.url(),
                "--management.opentelemetry.resource-attributes.[service.instance.id]=pod-1",
                "--lastcall.grace-period=120s",
                "--lastcall.propagation-delay=1s",
                "--lastcall.drain-timeout=1s",
                "--lastcall.exit-timeout=60s")) {
      int port = service.port();
      var unused = service.get(port, "/hold");
      service.awaitLine("hold began");
      service.terminate();
      service.awaitLine("readiness is held");
      assertEquals(200, service.get(port, "/fast").get(60, TimeUnit.SECONDS).statusCode());
      String scrape =
          service
              .get(service.managementPort(), "/actuator/prometheus")
              .get(60, TimeUnit.SECONDS)
              .body();
      service.goOn();
      assertEquals(80, service.awaitExit(), service::output);

      List<String> scraped = scrape.lines().toList();
      assertTrue(scraped.contains("lastcall_state{state=\"fail_readiness\"} 1.0"), scrape);
      assertTrue(scraped.contains("lastcall_ready 0.0"), scrape);
      assertTrue(scraped.contains("lastcall_inflight_requests 1.0"), scrape);
      assertTrue(scraped.contains("lastcall_late_requests_total 1.0"), scrape);
      assertEquals(1, collector.pushes(), service::output);
      assertEveryAlertFires(collector.last());
      assertEquals(1, collector.last().get(STEP), collector.last()::toString);
      String resource = collector.resource();
      assertTrue(resource.contains("service.instance.id=\"pod-1\""), resource);
    }
  }

  /** Spring's hook closes the context there, and with it, without the library, the registries. */
  @Test
  void systemExit_outcomeIsPushed() throws Exception {
    try (Collector collector = new Collector();
        Service service =
            Service.start(
                "--management.otlp.metrics.export.enabled=true",
                "--management.otlp.metrics.export.step=1h",
                "--management.otlp.metrics.export.url=" + collector.url(),
                "--lastcall.grace-period=120s",
                "--lastcall.exit-timeout=60s")) {
      service.get(service.port(), "/exit-elsewhere").get(60, TimeUnit.SECONDS);
      assertEquals(7, service.awaitExit(), service::output);
      assertEquals(1, collector.pushes(), service::output);
      assertEquals(1, collector.last().get("lastcall_shutdowns_total{outcome=\"clean\"}"));
      // Whatever unit the registry has for timers: that is what the alerts name.
      assertTrue(collector.last().containsKey("lastcall_propagation_delay_seconds"));
    }
  }

  /**
   * Of an alert's expression each name with its labels is in the push, and what it compares with
   * zero is more.
   */
  private static void assertEveryAlertFires(Map<String, Double> pushed) throws IOException {
    List<String> rules =
        Files.readAllLines(Path.of("..", "..", "..", "docs", "prometheus-alerts.yaml")).stream()
            .filter(line -> line.strip().startsWith("expr:"))
            .toList();
    assertTrue(rules.size() > 3, rules::toString);
    for (String rule : rules) {
      List<Double> values =
          Pattern.compile("lastcall_[a-z_]+(\\{[^}]*})?")
              .matcher(rule)
              .results()
              .map(MatchResult::group)
              .map(
                  sample ->
                      Objects.requireNonNull(
                          pushed.get(sample), () -> sample + " of\n" + rule + "\nin " + pushed))
              .toList();
      double sum = values.stream().mapToDouble(Double::doubleValue).sum();
      assertTrue(sum > 0, () -> rule + "\nwith " + values);
    }
    double arrival = value(pushed, "lastcall_last_arrival_seconds");
    assertTrue(
        arrival > 0.8 * value(pushed, "lastcall_propagation_delay_seconds"), pushed::toString);
  }

  private static double value(Map<String, Double> samples, String name) {
    return Objects.requireNonNull(samples.get(name), name);
  }
}
