package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class PlanViewsTest {
  private static final Map<String, String> POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

  @Test
  void table_ofAPod_alignsNamesValuesAndSources() {
    String table = ShutdownPlan.of(new SettingSources(POD, new Properties())).table();
    assertTrue(
        table
            .replace(System.lineSeparator(), "\n")
            .startsWith(
                """
                  grace-period         30s                default, as in Kubernetes
                  propagation-delay    15s                default, at most half the grace period
                  propagation-minimum  15s                default, the delay: a fixed wait
                """),
        table);
  }
}
