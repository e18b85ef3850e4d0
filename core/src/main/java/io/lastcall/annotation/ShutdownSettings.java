package io.lastcall.annotation;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.probe.ReadinessPolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The shutdown's settings, on one component of a service. Durations are written {@code 30s}, {@code
 * 500ms}, {@code 1m30s} or {@code PT30S}. A value from a framework's configuration, set in code, in
 * the environment or as a system property wins over the one here.
 *
 * <p>Every attribute is empty unless it is set, so that a value counts even if it is the setting's
 * default. Where the type is an array, it takes one value: {@code cleanExitCode = 0}. Only {@code
 * stopSignals} takes several.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ShutdownSettings {

  /** The pod's terminationGracePeriodSeconds, which a process cannot read. Default: 30s. */
  String gracePeriod() default "";

  /**
   * How long to serve on while routers learn that the pod is going. Default: 15s, at most half the
   * grace period, or what a short one leaves; 0s outside Kubernetes, and without a server.
   */
  String propagationDelay() default "";

  /** The earliest end of the propagation delay, where silence is evidence. Default: the delay. */
  String propagationMinimum() default "";

  /** How many routers send here: nodes with kube-proxy, or ingress replicas. Default: 10. */
  int[] propagationRouters() default {};

  /** The preStop hook's sleep: part of the grace period and of propagation. Default: 0s. */
  String preStopDelay() default "";

  /**
   * The secret that opens /prestop and /lameduck. Default: off. Safer in the environment, from a
   * Secret.
   */
  String preStopToken() default "";

  /** When readiness fails: AFTER_PROPAGATION, IMMEDIATE or NEVER. Default: AFTER_PROPAGATION. */
  ReadinessPolicy[] readinessPolicy() default {};

  /**
   * How long to serve on after readiness fails. Default: 0s; up to 10s if connections still come.
   */
  String readinessHold() default "";

  /** How long DRAIN may take. Default: what remains. */
  String drainTimeout() default "";

  /** What happens to new requests in DRAIN: SERVE or REJECT. Default: SERVE. */
  LateRequestPolicy[] lateRequests() default {};

  /** How long CLOSE_CONNECTIONS may take. Default: 5s, at most a quarter of the rest. */
  String closeTimeout() default "";

  /** What is kept for EXIT. Default: 1s, at most a quarter of what the reserve leaves. */
  String exitTimeout() default "";

  /** The longest DRAIN after a System.exit of the application. Default: 5s. */
  String exitDrainTimeout() default "";

  /**
   * How long before SIGKILL the process is gone at the latest. Default: 1s, the least; 500ms of a
   * short grace period.
   */
  String reserve() default "";

  /** The exit code of a clean shutdown: 0 or 143. Default: 0; 143 by a signal without a server. */
  int[] cleanExitCode() default {};

  /** The signals that mean stop, for images with another STOPSIGNAL. Default: TERM. */
  String[] stopSignals() default {};

  /** The report and the plan in the log: LINES, or ONE_LINE for collectors. Default: LINES. */
  String reportLog() default "";

  /** Where the report is written as JSON at the end. Default: off. */
  String reportFile() default "";

  /**
   * The probes on a port of their own, until the exit; 0 takes a free one. Default: off. Of {@code
   * lastcall-probe-server}, as the next two.
   */
  String probePort() default "";

  /** A file that exists exactly while ready, for exec probes. Default: off. */
  String readinessFile() default "";

  /** A port that is open exactly while ready, for tcpSocket probes. Default: off. */
  String readinessPort() default "";
}
