package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.time.Ticker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class HealthExemptionTest {
  private final MockEnvironment environment = new MockEnvironment();

  private List<String> exempt() {
    ShutdownFilter filter =
        new ShutdownFilter(
            new GateControl(Ticker.system()).gate(),
            new Probes(() -> true, () -> true),
            new ConnectionControl().connections());
    return HealthExemption.in(environment, filter).paths();
  }

  @Test
  void actuatorOnTheServicePort_itsHealthIsExempt() {
    assertEquals(List.of("/actuator/health"), exempt());
    environment.setProperty("management.server.port", "8080");
    assertEquals(List.of("/actuator/health"), exempt());
  }

  /** What has that path on the service's port is the application's own. */
  @Test
  void actuatorOnAPortOfItsOwn_nothingIsExempt() {
    environment.setProperty("management.server.port", "9090");
    assertEquals(List.of(), exempt());
    environment.setProperty("server.port", "0");
    environment.setProperty("management.server.port", "0");
    assertEquals(List.of(), exempt());
  }
}
