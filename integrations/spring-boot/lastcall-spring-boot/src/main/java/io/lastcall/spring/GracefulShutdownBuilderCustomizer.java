package io.lastcall.spring;

import io.lastcall.GracefulShutdownBuilder;

/**
 * A bean of this type customizes the shutdown before it is installed. {@code lastcall.*} properties
 * override what it sets. Called once for a process, in the order of the beans, before other
 * singletons are made; a context that joins the shutdown of another one calls none.
 */
@FunctionalInterface
public interface GracefulShutdownBuilderCustomizer {
  /** Adds settings, steps, servers or listeners. */
  void customize(GracefulShutdownBuilder builder);
}
