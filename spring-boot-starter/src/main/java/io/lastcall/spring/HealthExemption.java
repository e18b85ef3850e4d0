package io.lastcall.spring;

import io.lastcall.servlet.ShutdownFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.core.env.Environment;

/**
 * Passes Actuator's health endpoint by the filter: a kubelet goes on asking it to the end, and that
 * is no traffic.
 *
 * @param path the endpoint's path in the application, without a slash at its end
 */
record HealthExemption(String path, ShutdownFilter filter) implements Filter {
  static HealthExemption in(Environment environment, ShutdownFilter filter) {
    String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
    String health =
        environment.getProperty("management.endpoints.web.path-mapping.health", "health");
    return new HealthExemption((base + "/" + health).replace("//", "/"), filter);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http && isHealth(http.getServletPath())) {
      chain.doFilter(request, response);
    } else {
      filter.doFilter(request, response, chain);
    }
  }

  private boolean isHealth(String target) {
    return target.equals(path) || target.startsWith(path + "/");
  }
}
