package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class HealthExemptionTest {
  private static List<String> exempt(String... properties) {
    TreeSet<String> paths = new TreeSet<>();
    new WebApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                LastcallAutoConfiguration.class,
                LastcallServletAutoConfiguration.class,
                ApplicationAvailabilityAutoConfiguration.class,
                EndpointAutoConfiguration.class,
                WebEndpointAutoConfiguration.class,
                HealthContributorRegistryAutoConfiguration.class,
                AvailabilityHealthContributorAutoConfiguration.class,
                HealthEndpointAutoConfiguration.class,
                AvailabilityProbesAutoConfiguration.class))
        .withPropertyValues(properties)
        .run(context -> paths.addAll(context.getBean(HealthPaths.class).get()));
    return List.copyOf(paths);
  }

  @Test
  void actuatorOnTheServicePort_itsHealthIsExempt() {
    assertEquals(List.of("/actuator/health"), exempt());
    assertEquals(List.of("/actuator/health"), exempt("management.server.port=8080"));
    assertEquals(
        List.of("/api/ops/up"),
        exempt(
            "spring.mvc.servlet.path=/api",
            "management.endpoints.web.base-path=/ops",
            "management.endpoints.web.path-mapping.health=up"));
  }

  /** What has that path on the service's port is the application's own. */
  @Test
  void actuatorOnAPortOfItsOwnOrWithoutHealth_nothingIsExempt() {
    assertEquals(List.of(), exempt("management.server.port=9090"));
    assertEquals(List.of(), exempt("management.server.port=0", "server.port=0"));
    assertEquals(List.of(), exempt("management.endpoints.web.exposure.exclude=health"));
  }

  @Test
  void groups_pathsOnTheServicePort_areExemptAndThoseOnActuatorsOwnAreNot() {
    assertEquals(
        List.of("/livez", "/readyz", "/up"),
        exempt(
            "management.server.port=9090",
            "management.endpoint.health.probes.enabled=true",
            "management.endpoint.health.probes.add-additional-paths=true",
            "management.endpoint.health.group.ready.include=readinessState",
            "management.endpoint.health.group.ready.additional-path=server:/up",
            "management.endpoint.health.group.live.include=livenessState",
            "management.endpoint.health.group.live.additional-path=management:/alive"));
  }

  @Test
  void doFilter_healthAndWhatIsBelowIt_areNoTrafficAndWhatOnlyBeginsAlikeIs() throws Exception {
    assertEquals(0, inFlight("/actuator/health"));
    assertEquals(0, inFlight("/actuator/health/liveness"));
    assertEquals(1, inFlight("/actuator/healthcare"));
    assertEquals(1, inFlight("/orders"));
  }

  /** How many requests are in flight while one for {@code path} is served. */
  private static long inFlight(String path) throws IOException, ServletException {
    GracefulShutdown shutdown = GracefulShutdown.disabled();
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
    request.setServletPath(path);
    AtomicLong seen = new AtomicLong();
    new HealthExemption(filter, () -> List.of("/actuator/health"))
        .doFilter(
            request,
            new MockHttpServletResponse(),
            (served, response) -> seen.set(shutdown.gate().inFlight()));
    return seen.get();
  }
}
