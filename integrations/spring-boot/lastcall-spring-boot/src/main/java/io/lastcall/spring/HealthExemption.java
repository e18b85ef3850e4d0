package io.lastcall.spring;

import io.lastcall.servlet.ShutdownFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/**
 * Lets requests for Actuator's health skip the filter: a kubelet asks it to the end, and that is no
 * traffic.
 */
final class HealthExemption implements Filter {
  private final ShutdownFilter filter;
  private final Supplier<Collection<String>> paths;

  /**
   * @param paths where health is on the service's port, without a slash at their ends; asked once,
   *     at the first request, when Actuator knows its endpoints
   */
  HealthExemption(ShutdownFilter filter, Supplier<Collection<String>> paths) {
    this.filter = filter;
    this.paths = SingletonSupplier.of(() -> List.copyOf(paths.get()));
  }

  @Override
  public void init(FilterConfig config) {
    filter.init(config);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http && isHealth(ShutdownFilter.path(http))) {
      filter.passUncounted(http, response, chain);
    } else {
      filter.doFilter(request, response, chain);
    }
  }

  private boolean isHealth(String target) {
    for (String path : paths.get()) {
      if (target.startsWith(path)
          && (target.length() == path.length() || target.charAt(path.length()) == '/')) {
        return true;
      }
    }
    return false;
  }
}
