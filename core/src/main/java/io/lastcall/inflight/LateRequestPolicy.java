package io.lastcall.inflight;

/** What happens to requests that arrive in DRAIN, after the propagation delay. */
public enum LateRequestPolicy {
  /** They are served, but for the last 5 s of DRAIN, at most half of it. The default. */
  SERVE,
  /** They are answered 503 from the start of DRAIN. */
  REJECT
}
