package io.lastcall.spring.taker;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Step;
import io.lastcall.report.ShutdownListener;
import io.lastcall.work.WorkSource;

/** The takers of a context, which stop at the trigger of the process's shutdown. Thread-safe. */
public interface Takers {
  /** Returns the shutdown of the process. */
  GracefulShutdown shutdown();

  /**
   * Adds a taker; not any more once a shutdown has begun, and not twice.
   *
   * @param name its bean's
   * @param taker the object that stops, by which it is known
   */
  void stopFirst(String name, Object taker, WorkSource source);

  /** Returns whether the object was added. */
  boolean isStoppedFirst(Object taker);

  /** Returns whether members of a bean are steps, or sources of work, by {@code @OnShutdown}. */
  boolean hasSteps(Object bean);

  /** Adds a step of the context's. */
  void step(Step step);

  /** Adds a listener of the context's. */
  void listener(ShutdownListener listener);

  /** Returns what refuses a setting, so that Spring Boot prints its message. */
  RuntimeException refusal(String message);
}
