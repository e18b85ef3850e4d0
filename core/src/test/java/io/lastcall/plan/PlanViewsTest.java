package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class PlanViewsTest {
  private static final Map<String, String> POD =
      Map.of(
          "KUBERNETES_SERVICE_HOST", "10.0.0.1",
          "LASTCALL_READINESS_HOLD", "2s",
          "LASTCALL_PRE_STOP_DELAY", "5s");

  @Test
  void smallestGracePeriod_countsWhatWasSetAndNotWhatShrinks() {
    // 15 s of propagation (5 s of them in preStop), 2 s of hold, 1 s of exit, 1 s of reserve, and a
    // second for DRAIN and CLOSE_CONNECTIONS.
    assertEquals(Duration.ofSeconds(20), plan(POD).smallestGracePeriod());
  }

  @Test
  void smallestGracePeriod_isTheSmallestThatFits() {
    for (Map<String, String> set :
        List.of(
            Map.of("LASTCALL_DRAIN_TIMEOUT", "7s", "LASTCALL_CLOSE_TIMEOUT", "3s"),
            Map.of("LASTCALL_DRAIN_TIMEOUT", "7s"),
            Map.of("LASTCALL_CLOSE_TIMEOUT", "7s"),
            Map.of("LASTCALL_PROPAGATION_MINIMUM", "5s"),
            Map.of("LASTCALL_EXIT_TIMEOUT", "2500ms", "LASTCALL_RESERVE", "2s"),
            Map.<String, String>of())) {
      long smallest = plan(set).smallestGracePeriod().toSeconds();
      assertEquals(smallest, plan(grace(set, smallest)).smallestGracePeriod().toSeconds());
      assertThrows(
          IllegalArgumentException.class, () -> plan(grace(set, smallest - 1)), set::toString);
    }
  }

  private static Map<String, String> grace(Map<String, String> set, long seconds) {
    Map<String, String> all = new HashMap<>(set);
    all.put("LASTCALL_GRACE_PERIOD", seconds + "s");
    return all;
  }

  @Test
  void table_ofAPod_alignsNamesValuesAndSources() {
    String table = plan(POD).table().replace(System.lineSeparator(), "\n");
    assertTrue(
        table.startsWith(
            """
              grace-period         30s                default, as in Kubernetes
              propagation-delay    15s                default, at most half the grace period
              propagation-minimum  15s                default, the delay: a fixed wait
            """),
        table);
  }

  @Test
  void json_namesEveryValueWithItsSource() {
    String json = plan(POD).json();
    assertTrue(
        json.startsWith(
            "{\"values\":[{\"name\":\"grace-period\",\"value\":30000,\"text\":\"30s\","
                + "\"source\":\"DEFAULT\",\"origin\":\"as in Kubernetes\"},"),
        json);
    assertTrue(json.contains("{\"name\":\"stop-signals\",\"value\":[\"TERM\"],"), json);
    assertTrue(json.endsWith("],\"smallestGracePeriod\":20000}"), json);
  }

  private static ShutdownPlan plan(Map<String, String> environment) {
    return ShutdownPlan.of(new SettingSources(environment, new Properties()));
  }
}
