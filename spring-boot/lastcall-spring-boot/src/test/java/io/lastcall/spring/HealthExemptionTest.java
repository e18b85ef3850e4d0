package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.testing.FixedProbes;
import io.lastcall.time.Ticker;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class HealthExemptionTest {
  private final MockEnvironment environment = new MockEnvironment();
  private final GateControl gate = new GateControl(Ticker.system());

  private HealthExemption exemption() {
    ShutdownFilter filter =
        new ShutdownFilter(
            gate.gate(),
            FixedProbes.of(() -> true, () -> true),
            new ConnectionControl().connections());
    return HealthExemption.in(environment, filter);
  }

  private List<String> exempt() {
    return exemption().paths();
  }

  /** How many requests are in flight while one for {@code path} is served. */
  private long inFlight(String path) throws IOException, ServletException {
    MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
    request.setServletPath(path);
    AtomicLong seen = new AtomicLong();
    exemption()
        .doFilter(
            request,
            new MockHttpServletResponse(),
            (served, response) -> seen.set(gate.gate().inFlight()));
    return seen.get();
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

  @Test
  void groups_pathsOnTheServicePort_areExemptAndThoseOnActuatorsOwnAreNot() {
    environment.setProperty("management.endpoint.health.group.ready.additional-path", "server:/up");
    environment.setProperty(
        "management.endpoint.health.group.live.additional-path", "management:/alive");
    assertEquals(List.of("/actuator/health", "/up"), exempt());
  }

  @Test
  void doFilter_healthAndWhatIsBelowIt_areNoTrafficAndWhatOnlyBeginsAlikeIs() throws Exception {
    assertEquals(0, inFlight("/actuator/health"));
    assertEquals(0, inFlight("/actuator/health/liveness"));
    assertEquals(1, inFlight("/actuator/healthcare"));
    assertEquals(1, inFlight("/orders"));
  }
}
