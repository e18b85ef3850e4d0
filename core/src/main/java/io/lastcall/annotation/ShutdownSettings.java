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
 * The shutdown's settings, on one component of a service. What each means and its default is said
 * at {@code io.lastcall.plan.ShutdownPlan}. Durations are written {@code 30s}, {@code 500ms},
 * {@code 1m30s} or {@code PT30S}. A value from a framework's configuration, set in code, in the
 * environment or as a system property wins over the one here.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ShutdownSettings {

  /** The pod's {@code terminationGracePeriodSeconds}. */
  String gracePeriod() default "";

  /** How long everything is served on after the trigger. */
  String propagationDelay() default "";

  /** The earliest end of that wait where silence is evidence. */
  String propagationMinimum() default "";

  /** How many routers send here. */
  int propagationRouters() default 10;

  /**
   * A sleep that the manifest's preStop hook does before the signal, or before {@code /prestop}.
   */
  String preStopDelay() default "";

  /**
   * The secret that opens {@code /prestop} and {@code /lameduck}. It is safer in the environment:
   * {@code LASTCALL_PRE_STOP_TOKEN}, from a Secret.
   */
  String preStopToken() default "off";

  /**
   * Where the probes are answered apart from the service: a port, or off. Of {@code
   * lastcall-probe-server}.
   */
  String probePort() default "off";

  /** When readiness fails. */
  ReadinessPolicy readinessPolicy() default ReadinessPolicy.AFTER_PROPAGATION;

  /** How long to serve on after readiness failed. */
  String readinessHold() default "";

  /**
   * A file that exists exactly while readiness passes, or off. Of {@code lastcall-probe-server}.
   */
  String readinessFile() default "off";

  /**
   * A port that is open exactly while readiness passes, or off. Of {@code lastcall-probe-server}.
   */
  String readinessPort() default "off";

  /** How long DRAIN may take. */
  String drainTimeout() default "";

  /** What happens to requests that arrive in DRAIN. */
  LateRequestPolicy lateRequests() default LateRequestPolicy.SERVE;

  /** How long CLOSE_CONNECTIONS may take; if unset, closers have what is left over, too. */
  String closeTimeout() default "";

  /** What is kept for EXIT. */
  String exitTimeout() default "";

  /**
   * How long DRAIN may take after somebody else's {@code System.exit}, where the drain timeout is
   * not less; and, after that or SIGINT, how long the steps of KEEP_SERVING and FAIL_READINESS may.
   */
  String exitDrainTimeout() default "";

  /** How long before the grace period ends the process is gone whatever happens. */
  String reserve() default "";

  /** The exit code of a clean shutdown, 0 or 143. */
  int cleanExitCode() default 0;

  /** How the report stands in the log: LINES, at most six; or ONE_LINE, for collectors. */
  String reportLog() default "LINES";

  /** Where the report is written as JSON at the end. */
  String reportFile() default "off";

  /** The signals that mean "stop". */
  String[] stopSignals() default {"TERM"};
}
