package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.ApiVersion;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.context.ApplicationContext;

/** Calls of Actuator's own operations, as a server makes them. */
final class HealthCalls {
  static final AutoConfigurations CONFIGURATION =
      AutoConfigurations.of(
          LastcallAutoConfiguration.class,
          ApplicationAvailabilityAutoConfiguration.class,
          EndpointAutoConfiguration.class,
          WebEndpointAutoConfiguration.class,
          HealthContributorRegistryAutoConfiguration.class,
          AvailabilityHealthContributorAutoConfiguration.class,
          HealthEndpointAutoConfiguration.class,
          AvailabilityProbesAutoConfiguration.class);

  private HealthCalls() {}

  static void assertAsked(ApplicationContext context, boolean expected, String... path) {
    GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
    assertTrue(shutdown.probes().readinessPeriod().isZero());
    List<WebOperation> health =
        context.getBean(WebEndpointsSupplier.class).getEndpoints().stream()
            .filter(endpoint -> endpoint.getEndpointId().toString().equals("health"))
            .flatMap(endpoint -> endpoint.getOperations().stream())
            .filter(hasSelector(path.length > 0))
            .toList();
    assertEquals(1, health.size());
    health
        .get(0)
        .invoke(
            new InvocationContext(
                SecurityContext.NONE,
                path.length == 0 ? Map.of() : Map.of("path", path),
                OperationArgumentResolver.of(
                    WebServerNamespace.class, () -> WebServerNamespace.SERVER),
                OperationArgumentResolver.of(ApiVersion.class, () -> ApiVersion.LATEST)));
    assertEquals(expected, !shutdown.probes().readinessPeriod().isZero());
  }

  private static Predicate<WebOperation> hasSelector(boolean expected) {
    return operation ->
        expected
            == (operation.getRequestPredicate().getMatchAllRemainingPathSegmentsVariable() != null);
  }
}
