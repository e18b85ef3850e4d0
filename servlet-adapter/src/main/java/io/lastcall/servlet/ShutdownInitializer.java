package io.lastcall.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registers the filter, in front of all others, and the probes' servlet. Give it to the context, as
 * in {@code context.addServletContainerInitializer(new ShutdownInitializer(filter), null)}. No
 * container finds it by itself: an application in somebody else's container has no say in when the
 * process ends.
 */
public final class ShutdownInitializer implements ServletContainerInitializer {
  private static final String FILTER = ShutdownFilter.class.getName();
  private static final String PROBES = ProbeServlet.class.getName();

  private final ShutdownFilter filter;

  /** Registers {@code filter}. */
  public ShutdownInitializer(ShutdownFilter filter) {
    this.filter = filter;
  }

  /**
   * Called by the container as it starts the context.
   *
   * @throws IllegalStateException if a filter or a servlet of the same name is there already, or
   *     another servlet on a probe's path
   */
  @Override
  public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) {
    FilterRegistration.Dynamic first = context.addFilter(FILTER, filter);
    ServletRegistration.Dynamic probes =
        context.addServlet(PROBES, new ProbeServlet(filter.probes()));
    if (first == null || probes == null) {
      throw new IllegalStateException(
          "%s or %s is registered in the context '%s' already; allowed: once, by hand or by the initializer"
              .formatted(FILTER, PROBES, context.getContextPath()));
    }
    first.setAsyncSupported(true);
    first.addMappingForUrlPatterns(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, "/*");
    probes.setAsyncSupported(true);
    Set<String> taken = probes.addMapping(ProbeServlet.mappings(filter.probes()));
    if (!taken.isEmpty()) {
      throw new IllegalStateException(
          "%s of the context '%s' are mapped already; allowed: no other servlet on the probes' paths"
              .formatted(taken, context.getContextPath()));
    }
  }
}
