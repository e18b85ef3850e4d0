package io.lastcall.probe;

/** When readiness turns 503 in a shutdown. */
public enum ReadinessPolicy {
  /**
   * In FAIL_READINESS, after the propagation delay. The default: while only terminating endpoints
   * are left, kube-proxy still routes to those whose readiness passes (KEP-1669).
   */
  AFTER_PROPAGATION,
  /** At the trigger: for load balancers outside the cluster that act on health checks alone. */
  IMMEDIATE,
  /** Never. */
  NEVER
}
