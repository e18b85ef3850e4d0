package io.lastcall.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Registers the filter, in front of all others. Give it to the context, as in {@code
 * context.addServletContainerInitializer(new ShutdownInitializer(filter), null)}. No container
 * finds it by itself: an application in somebody else's container has no say in when the process
 * ends.
 */
public final class ShutdownInitializer implements ServletContainerInitializer {
  private static final String FILTER = ShutdownFilter.class.getName();

  private final ShutdownFilter filter;

  /** Registers {@code filter}. */
  public ShutdownInitializer(ShutdownFilter filter) {
    this.filter = filter;
  }

  /**
   * Called by the container as it starts the context.
   *
   * @throws IllegalStateException if a filter of the same name is there already
   */
  @Override
  public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) {
    FilterRegistration.Dynamic first = context.addFilter(FILTER, filter);
    if (first == null) {
      throw new IllegalStateException(
          "%s is registered in the context '%s' already; allowed: once, by hand or by the initializer"
              .formatted(FILTER, context.getContextPath()));
    }
    first.setAsyncSupported(true);
    first.addMappingForUrlPatterns(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, "/*");
    mapProbes(context);
  }

  /** The filter answers them, but Tomcat runs no filter for a path that no servlet has. */
  private void mapProbes(ServletContext context) {
    ServletRegistration.Dynamic none = context.addServlet("lastcall-probes", new Unreached());
    if (none != null) {
      none.setAsyncSupported(true);
      // One by one: a path that another servlet has brings the filter its requests, too.
      Stream.of(filter.probePatterns()).forEach(none::addMapping);
    }
  }

  private static final class Unreached extends HttpServlet {
    private static final long serialVersionUID = 1L;
  }
}
