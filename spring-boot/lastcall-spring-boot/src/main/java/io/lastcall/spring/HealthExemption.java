package io.lastcall.spring;

import io.lastcall.servlet.ShutdownFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Passes Actuator's health endpoint by the filter: a kubelet goes on asking it to the end, and that
 * is no traffic.
 *
 * @param paths the endpoint's path, where Actuator shares the application's port, and those that
 *     its groups have beside it on the service's port; without a slash at their ends
 */
record HealthExemption(List<String> paths, ShutdownFilter filter) implements Filter {
  /** How Actuator says that a group's path is on the service's port, and not on its own. */
  private static final String SERVICE_PORT = "server:";

  /** How Actuator is told to have its probes on the service's port too. */
  private static final String PROBES_BESIDE =
      "management.endpoint.health.probes.add-additional-paths";

  /** The part of a group's settings that matters here. */
  record Group(@Nullable String additionalPath) {}

  static HealthExemption in(Environment environment, ShutdownFilter filter) {
    String servlet = environment.getProperty("spring.mvc.servlet.path", "/");
    String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
    String health =
        environment.getProperty("management.endpoints.web.path-mapping.health", "health");
    List<String> paths = new ArrayList<>();
    if (isOnServicePort(environment)) {
      paths.add(join(servlet, base, health));
    }
    for (Group group : groups(environment)) {
      String path = group.additionalPath();
      if (path != null && path.startsWith(SERVICE_PORT)) {
        paths.add(join(servlet, path.substring(SERVICE_PORT.length())));
      }
    }
    if (environment.getProperty(PROBES_BESIDE, Boolean.class, false)) {
      paths.add(join(servlet, "/livez"));
      paths.add(join(servlet, "/readyz"));
    }
    return new HealthExemption(List.copyOf(paths), filter);
  }

  /** Whether Actuator has no port of its own; 0 is any free one, so never the same. */
  private static boolean isOnServicePort(Environment environment) {
    String own = environment.getProperty("management.server.port");
    return own == null
        || (!own.equals("0") && own.equals(environment.getProperty("server.port", "8080")));
  }

  private static String join(String... parts) {
    return String.join("/", parts).replaceAll("/+", "/");
  }

  private static Collection<Group> groups(Environment environment) {
    return Binder.get(environment)
        .bind("management.endpoint.health.group", Bindable.mapOf(String.class, Group.class))
        .map(Map::values)
        .orElse(List.of());
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http && isHealth(http)) {
      chain.doFilter(request, response);
    } else {
      filter.doFilter(request, response, chain);
    }
  }

  private boolean isHealth(HttpServletRequest request) {
    String target = ShutdownFilter.path(request);
    for (String path : paths) {
      if (isAtOrBelow(target, path)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAtOrBelow(String target, String path) {
    return target.startsWith(path)
        && (target.length() == path.length() || target.charAt(path.length()) == '/');
  }
}
