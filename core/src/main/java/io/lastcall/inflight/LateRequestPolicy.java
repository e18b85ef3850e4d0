package io.lastcall.inflight;

/** What happens to requests that arrive in DRAIN, after the propagation delay. */
public enum LateRequestPolicy {
  /** They are served, until the late cutoff before the drain timeout. The default. */
  SERVE,
  /** They are answered 503 from the start of DRAIN. */
  REJECT
}
