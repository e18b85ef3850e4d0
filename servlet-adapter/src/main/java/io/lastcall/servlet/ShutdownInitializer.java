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
 * in {@code context.addServletContainerInitializer(new ShutdownInitializer(filter), null)}; or,
 * where the container looks for initializers by itself, as it does for a web application with
 * annotations, set the attribute {@code io.lastcall.servlet.ShutdownFilter} of the {@link
 * ServletContext} to the filter before it starts. Without either nothing is registered: an
 * application in somebody else's container has no say in when the process ends.
 */
public final class ShutdownInitializer implements ServletContainerInitializer {
  /** The attribute, and the name of the filter. */
  public static final String FILTER = ShutdownFilter.class.getName();

  private final @Nullable ShutdownFilter filter;

  /** For the container: takes the filter from the attribute. */
  public ShutdownInitializer() {
    this.filter = null;
  }

  /** Registers {@code filter}. */
  public ShutdownInitializer(ShutdownFilter filter) {
    this.filter = filter;
  }

  /**
   * Called by the container as it starts the context.
   *
   * @throws IllegalStateException if a filter or a servlet of the same name is there already, or
   *     the attribute is something else
   */
  @Override
  public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) {
    ShutdownFilter known = filter == null ? filterOf(context) : filter;
    if (known != null) {
      register(context, known);
    }
  }

  private static @Nullable ShutdownFilter filterOf(ServletContext context) {
    Object value = context.getAttribute(FILTER);
    if (value == null || value instanceof ShutdownFilter) {
      return (ShutdownFilter) value;
    }
    throw new IllegalStateException(
        "Attribute %s is a %s; allowed: a filter of that type"
            .formatted(FILTER, value.getClass().getName()));
  }

  private static void register(ServletContext context, ShutdownFilter filter) {
    FilterRegistration.Dynamic first = context.addFilter(FILTER, filter);
    ServletRegistration.Dynamic probes =
        context.addServlet(ProbeServlet.class.getName(), new ProbeServlet(filter.probes()));
    if (first == null || probes == null) {
      throw new IllegalStateException(
          "%s or %s is registered in the context '%s' already; allowed: once, by hand or by the initializer"
              .formatted(FILTER, ProbeServlet.class.getName(), context.getContextPath()));
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
