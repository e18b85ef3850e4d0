package io.lastcall.plan;

/** Where a setting's value comes from; the first one that has a value counts. */
public enum Source {
  /** A {@code lastcall.*} system property. */
  SYSTEM_PROPERTY,
  /** A {@code LASTCALL_*} environment variable. */
  ENVIRONMENT,
  /** A configuration file of the application's framework. */
  CONFIGURATION,
  /** The builder. */
  CODE,
  /** {@code @ShutdownSettings} on a component. */
  ANNOTATION,
  /** The library's own value. */
  DEFAULT
}
