package io.lastcall.spi;

import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.util.List;

/**
 * A part of the library that is an artifact of its own. Core finds it by {@link
 * java.util.ServiceLoader}, with its own class loader; each builder gets a new one. The first three
 * methods are called by the thread that installs.
 */
public interface Extension {

  /**
   * Returns the settings it adds. Core reads them from every source, prints them in the plan and
   * refuses bad values, as its own.
   */
  List<Setting<?>> settings();

  /**
   * Checks its settings against each other and against core's, which are valid by themselves.
   *
   * @throws IllegalArgumentException if they do not fit; see {@link
   *     io.lastcall.plan.PlanValue#refusal}
   */
  default void check(ShutdownPlan plan) {}

  /**
   * Starts it, in {@code install()}. The probes answer from now on.
   *
   * @param ticker the time that core runs in
   * @return the running extension, which core closes
   * @throws IllegalArgumentException if a setting cannot be used here, such as a port that is taken
   */
  Running start(ShutdownPlan plan, Probes probes, Ticker ticker);

  /** An extension that has been started. Thread-safe. */
  interface Running {

    /** All extensions have started. Called by the thread that installs; must not block. */
    default void installed(ShutdownControl control) {}

    /**
     * A shutdown has begun, or the process exits before start-up is over. Called once, by the
     * thread that began it; must not block.
     */
    default void ending(ShutdownControl control) {}

    /**
     * A shutdown has begun, and a report follows, or {@link #halting}. Not called where the process
     * exits before start-up is over. Called by the thread that runs the phases; must not block.
     */
    default void began(Trigger trigger) {}

    /** The phases have ended. Called by the thread that runs them; must not block. */
    default void reported(ShutdownReport report) {}

    /**
     * The process is halted within 100 ms, unless it exits first.
     *
     * <p>Called by a thread of the library that must not be delayed; must not block.
     *
     * @param hanging in words, what hangs
     */
    default void halting(String hanging) {}

    /**
     * {@link Probes#isReady()} may have changed; it also changes by itself when a condition hangs.
     * Called by any thread, also without a change; must not block.
     */
    default void readinessChanged() {}

    /**
     * Ends it and its threads, just before {@code System.exit} or when the library is uninstalled.
     * The extension that was started last is closed first.
     *
     * @param deadline when it must have returned
     */
    void close(Deadline deadline);
  }
}
