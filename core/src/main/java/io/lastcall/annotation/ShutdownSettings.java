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

  /** As {@link io.lastcall.GracefulShutdownBuilder#gracePeriod}. */
  String gracePeriod() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#propagationDelay}. */
  String propagationDelay() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#adaptivePropagation}. */
  String propagationMinimum() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#propagationRouters}. */
  int[] propagationRouters() default {};

  /** As {@link io.lastcall.GracefulShutdownBuilder#preStopDelay}. */
  String preStopDelay() default "";

  /**
   * As {@link io.lastcall.GracefulShutdownBuilder#preStopToken}. Safer in the environment, from a
   * Secret.
   */
  String preStopToken() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#readinessPolicy}. */
  ReadinessPolicy[] readinessPolicy() default {};

  /** As {@link io.lastcall.GracefulShutdownBuilder#readinessHold}. */
  String readinessHold() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#drainTimeout}. */
  String drainTimeout() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#lateRequests}. */
  LateRequestPolicy[] lateRequests() default {};

  /** As {@link io.lastcall.GracefulShutdownBuilder#closeTimeout}. */
  String closeTimeout() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#exitTimeout}. */
  String exitTimeout() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#exitDrainTimeout}. */
  String exitDrainTimeout() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#reserve}. */
  String reserve() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#cleanExitCode}. */
  int[] cleanExitCode() default {};

  /** As {@link io.lastcall.GracefulShutdownBuilder#stopSignals}. */
  String[] stopSignals() default {};

  /** As {@link io.lastcall.GracefulShutdownBuilder#reportLog}. */
  String reportLog() default "";

  /** As {@link io.lastcall.GracefulShutdownBuilder#reportFile}. */
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
