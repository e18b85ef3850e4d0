package io.lastcall.annotation;

import io.lastcall.phase.Phase;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a member of a component a step of the shutdown. Components are given to {@code
 * GracefulShutdown.builder().components(...)}; every member is checked there, and refused with its
 * name and what is allowed.
 *
 * <ul>
 *   <li>A method without parameters, or with one {@link io.lastcall.phase.StepContext}, is called.
 *       If it returns a {@link java.util.concurrent.CompletionStage}, that is awaited; if it
 *       returns an {@link AutoCloseable} or an {@link java.util.concurrent.ExecutorService}, that
 *       is closed.
 *   <li>A field that holds an {@link AutoCloseable} or an {@link
 *       java.util.concurrent.ExecutorService} is closed; one that holds null by then is left.
 *   <li>An executor is shut down and awaited; at the step's deadline what still runs is
 *       interrupted, and what waits is dropped. A {@link
 *       java.util.concurrent.ScheduledThreadPoolExecutor} runs delayed tasks behind its shutdown,
 *       unless its policy says otherwise; those that are due behind the deadline are cancelled at
 *       once. {@code Executors.newSingleThreadScheduledExecutor()} hides its tasks, as a {@link
 *       java.util.concurrent.ForkJoinPool} does from JDK 25 on: one that is due behind the deadline
 *       holds the step until then; a {@code new ScheduledThreadPoolExecutor(1)} does not. The
 *       common pool, which cannot be shut down, is awaited until it is idle.
 * </ul>
 *
 * Visibility does not matter; static members are refused. Members of superclasses and interfaces
 * count too; a method that overrides an annotated one is called once, by its own annotation if it
 * has one. A record component is closed once, through its accessor. Methods of a proxy are called
 * through it; fields and private methods are those of the object that was given, so give the target
 * rather than a proxy that holds none of its own.
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
   * When it is interrupted, such as {@code 5s}, {@code 500ms}, {@code 1m30s} or {@code PT5S}.
   * Default: the end of its phase, less an even share of the time for each order behind its own. In
   * KEEP_SERVING and FAIL_READINESS, which end by the clock, steps that still run hold up DRAIN,
   * for at most half of the time it would have; those of KEEP_SERVING for a quarter.
   */
  String timeout() default "";

  /** How logs and the report call it. Default: {@code Class.member}. */
  String name() default "";
}
