package io.lastcall.annotation;

import io.lastcall.phase.Phase;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a member of a component a step of the shutdown. Components are given to {@code
 * GracefulShutdown.builder().components(...)}, which refuses a member that cannot be a step with
 * its name and what is allowed.
 *
 * <ul>
 *   <li>A method without parameters, or with one {@link io.lastcall.phase.StepContext}, is called.
 *       If it returns a {@link java.util.concurrent.CompletionStage}, that is awaited; if it
 *       returns an {@link AutoCloseable} or an {@link java.util.concurrent.ExecutorService}, that
 *       is closed.
 *   <li>A field that holds an {@link AutoCloseable} or an {@link
 *       java.util.concurrent.ExecutorService} is closed; a field that is null by then is a WARN.
 *   <li>An executor is stopped as {@link io.lastcall.phase.Step#stopping} does. {@code
 *       Executors.newSingleThreadScheduledExecutor()} hides its tasks, as a {@link
 *       java.util.concurrent.ForkJoinPool} does from JDK 25 on: a task that is due after the
 *       deadline holds the step until then. A {@code new ScheduledThreadPoolExecutor(1)} does not.
 * </ul>
 *
 * Consumers, pollers and schedulers stop at the trigger and finish in DRAIN. A component that is a
 * {@link io.lastcall.work.WorkSource} needs no annotation for it; a field that holds one has it
 * with {@code phase = KEEP_SERVING}, and without an order or a timeout. Where a class cannot be
 * one, a method of KEEP_SERVING with a low order stops taking, and a method of DRAIN returns the
 * stage that completes when all is done.
 *
 * <p>Visibility does not matter; static members are refused. Members of superclasses and interfaces
 * count too; a method that overrides an annotated one is called once, by its own annotation if it
 * has one. A record component is closed once, through its accessor. Methods of a proxy are called
 * through it; fields and private methods are those of the given object, so give the target of a
 * proxy that has none of its own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface OnShutdown {

  /** When it runs. */
  Phase phase();

  /** Steps of one phase with lower orders run first, those of one order concurrently. Default 0. */
  int order() default 0;

  /**
   * When it is interrupted, such as {@code 5s}, {@code 500ms}, {@code 1m30s} or {@code PT5S}; with
   * the Spring Boot starter also a placeholder, such as {@code ${orders.flush-timeout:5s}}. Default
   * as of {@link io.lastcall.phase.Step#timeout}.
   */
  String timeout() default "";

  /** How logs and the report call it. Default: {@code Class.member}. */
  String name() default "";
}
