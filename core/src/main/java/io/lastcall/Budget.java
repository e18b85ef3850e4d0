package io.lastcall;

import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.time.Deadline;
import java.time.Duration;

/**
 * The time of one shutdown: every phase gets its own timeout or what remains after the reserve of
 * the phases behind it, whichever is less. Ask for a phase's end when it begins: its timeout counts
 * from then on; only KEEP_SERVING's counts from the trigger. Immutable.
 *
 * @param plan the plan
 * @param kind how the shutdown began
 * @param start the trigger
 */
record Budget(ShutdownPlan plan, Kind kind, Deadline start) {

  /** The process is gone by then whatever happens. */
  Deadline halt() {
    return start.plus(plan.untilHalt());
  }

  /** How long to serve on. */
  Duration keepServing() {
    return isHurried() ? Duration.ZERO : plan.keepServing();
  }

  /**
   * A person at a terminal does not wait for routers, and neither does a JVM that is going down
   * already.
   */
  private boolean isHurried() {
    return kind == Kind.INTERRUPT || kind == Kind.JVM_EXIT;
  }

  Deadline keepServingEnd() {
    return start.plus(keepServing()).earlier(drainLatest());
  }

  Deadline holdEnd() {
    Duration hold = isHurried() ? Duration.ZERO : plan.readinessHold();
    return drainLatest().atMost(hold);
  }

  /**
   * @param nothingToClose no long-lived connection is open and no closer registered: DRAIN gets
   *     what is kept for CLOSE_CONNECTIONS too
   */
  Deadline drainEnd(boolean nothingToClose) {
    Deadline latest = nothingToClose ? closeLatest() : drainLatest();
    if (kind == Kind.JVM_EXIT) {
      return latest.atMost(plan.exitDrainTimeout());
    }
    return plan.drainsWhatRemains() ? latest : latest.atMost(plan.drainTimeout());
  }

  /**
   * When steps of KEEP_SERVING and FAIL_READINESS are interrupted: these phases end by the clock,
   * and their steps may run beyond that, but one that hangs leaves DRAIN half of its time, and does
   * not keep whoever is in a hurry.
   */
  Deadline stepsEnd(Deadline phaseEnd) {
    Duration behind = Duration.ofNanos(Math.max(0, drainLatest().nanos() - phaseEnd.nanos()));
    Deadline latest = phaseEnd.plus(behind.dividedBy(2));
    return isHurried() ? latest.atMost(plan.exitDrainTimeout()) : latest;
  }

  Deadline closeEnd() {
    return closeLatest().atMost(plan.closeTimeout());
  }

  /** Of what is kept for EXIT its steps have a quarter for sure. */
  Deadline exitEnd() {
    return halt()
        .plus(plan.exitTimeout().multipliedBy(3).dividedBy(4).negated())
        .atMost(plan.exitTimeout());
  }

  /**
   * The report and who waits for it have the next quarter; other hooks of the JVM have the rest.
   */
  Deadline publishEnd() {
    return halt().plus(plan.exitTimeout().dividedBy(2).negated()).atMost(plan.exitTimeout());
  }

  /**
   * The probes have a moment behind the report, which ends before the reporter would call it late.
   */
  Deadline probesEnd() {
    return halt()
        .plus(plan.exitTimeout().multipliedBy(9).dividedBy(20).negated())
        .atMost(plan.exitTimeout());
  }

  /** What CLOSE_CONNECTIONS and EXIT are sure to get is not spent before them. */
  Deadline drainLatest() {
    return closeLatest().plus(plan.closeTimeout().negated());
  }

  private Deadline closeLatest() {
    return halt().plus(plan.exitTimeout().negated());
  }
}
