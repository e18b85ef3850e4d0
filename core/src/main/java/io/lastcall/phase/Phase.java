package io.lastcall.phase;

/** The phases of a shutdown, in their order. */
public enum Phase {
  /** Everything is served while the endpoints' removal propagates; responses start to say close. */
  KEEP_SERVING,
  /** Readiness answers 503; liveness stays 200. */
  FAIL_READINESS,
  /** In-flight requests finish; then listener, idle connections and gate close, in that order. */
  DRAIN,
  /** Long-lived connections are told to end, then the user's closers run. */
  CLOSE_CONNECTIONS,
  /** Servers are stopped, the report is published, the process exits. */
  EXIT
}
