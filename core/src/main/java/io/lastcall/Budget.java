package io.lastcall;

import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.Durations;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.time.Deadline;
import java.time.Duration;

/**
 * The time of one shutdown: every phase gets its own timeout or what remains after the reserve of
 * the phases behind it, whichever is less. Ask for a phase's end when it begins: its timeout counts
 * from then on; only KEEP_SERVING's counts from the trigger. Immutable.
 *
 * <pre>
 * trigger                                                                      SIGKILL
 * |-KEEP_SERVING-|-hold-|---------DRAIN---------|-CLOSE_CONNECTIONS-|-EXIT-|-reserve-|
 *                |      |                       |                   |      halt()
 *                |      |                       |                   closeLatest()
 *                |      |                       drainLatest()
 *                |      drainPlanned()
 *                keepServingEnd()
 * </pre>
 *
 * {@link #drainLatest}, {@code closeLatest} and {@link #halt} are fixed by what is kept behind
 * them. A phase that ends early hands on its time; {@link #drainEnd} and {@link #closeEnd} say how
 * far the next may use it.
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
    return drainLatest().atMost(hold());
  }

  private Duration hold() {
    return isHurried() ? Duration.ZERO : plan.readinessHold();
  }

  /**
   * @param nothingToClose no long-lived connection is open and no closer registered: DRAIN gets
   *     what is kept for CLOSE_CONNECTIONS too, but for its {@link #lateWork}
   */
  Deadline drainEnd(boolean nothingToClose) {
    Deadline latest = nothingToClose ? closeLatest().plus(lateWork().negated()) : drainLatest();
    Deadline end = plan.drainsWhatRemains() ? latest : latest.atMost(plan.drainTimeout());
    return kind == Kind.JVM_EXIT ? end.atMost(plan.exitDrainTimeout()) : end;
  }

  /**
   * What DRAIN does behind its end: it closes the listeners and answers whom it gives up. Out of
   * EXIT's time that would leave very many of those answers too little to leave in.
   */
  private Duration lateWork() {
    return Durations.min(Drain.LATE_WORK.multipliedBy(2), plan.closeTimeout().dividedBy(2));
  }

  /**
   * When steps of KEEP_SERVING are interrupted: it ends by the clock, and its steps may run beyond
   * that. They leave half of what there is for that to those of FAIL_READINESS.
   */
  Deadline keepServingStepsEnd() {
    return keepServingEnd().plus(overrun().dividedBy(2));
  }

  /** When steps of FAIL_READINESS are interrupted, which ends by the clock, too. */
  Deadline holdStepsEnd() {
    return drainPlanned().plus(overrun());
  }

  /**
   * How much later than planned DRAIN begins at most: steps that hang leave it half of its time,
   * and do not keep whoever is in a hurry.
   */
  private Duration overrun() {
    Duration half = Duration.ofNanos(drainLatest().nanos() - drainPlanned().nanos()).dividedBy(2);
    return isHurried() ? Durations.min(half, plan.exitDrainTimeout()) : half;
  }

  /** When DRAIN begins if nothing holds it up, and no silence lets it begin earlier. */
  private Deadline drainPlanned() {
    return start.plus(keepServing()).plus(hold()).earlier(drainLatest());
  }

  /**
   * @param anyCloser a closer is registered: it may take what DRAIN has left over, unless a timeout
   *     was set, or the JVM is going down and others wait
   */
  Deadline closeEnd(boolean anyCloser) {
    boolean whatRemains = anyCloser && plan.closesWhatRemains() && kind != Kind.JVM_EXIT;
    return whatRemains ? closeLatest() : closeLatest().atMost(plan.closeTimeout());
  }

  /** Of what is kept for EXIT its steps have a quarter for sure. */
  Deadline exitEnd() {
    return beforeHalt(plan.exitTimeout().multipliedBy(3).dividedBy(4));
  }

  /**
   * Where the phases in front have overrun even that, a quarter of what there is until the halt.
   */
  private Deadline beforeHalt(Duration kept) {
    Deadline late = halt().atMost(halt().remaining().dividedBy(4));
    return halt().plus(kept.negated()).later(late).atMost(plan.exitTimeout());
  }

  /**
   * The report and who waits for it have the next quarter; other hooks of the JVM have the rest.
   */
  Deadline publishEnd() {
    return beforeHalt(plan.exitTimeout().dividedBy(2));
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
