package io.lastcall.spring;

import io.lastcall.servlet.ShutdownFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Passes Actuator's health endpoint by the filter: a kubelet goes on asking it to the end, and that
 * is no traffic.
 *
 * @param path the endpoint's path in the application, without a slash at its end
 */
record HealthExemption(String path, ShutdownFilter filter) implements Filter {
  static HealthExemption in(Environment environment, ShutdownFilter filter) {
    String servlet = environment.getProperty("spring.mvc.servlet.path", "/");
    String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
    String health =
        environment.getProperty("management.endpoints.web.path-mapping.health", "health");
    String path = String.join("/", servlet, base, health).replaceAll("/+", "/");
    return new HealthExemption(path, filter);
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
    @Nullable String info = request.getPathInfo();
    String servlet = request.getServletPath();
    String target = info == null ? servlet : servlet + info;
    return target.equals(path) || target.startsWith(path + "/");
  }
}
