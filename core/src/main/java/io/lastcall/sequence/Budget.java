package io.lastcall.sequence;

import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.Durations;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The time of one shutdown: each phase gets its own timeout, or what remains less the time kept for
 * the phases after it, whichever is less. Ask for a phase's end when the phase begins: its timeout
 * counts from then; only KEEP_SERVING's counts from the trigger.
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
 * {@link #drainLatest}, {@code closeLatest} and {@link #halt} are fixed by the time kept after
 * them. A phase that ends early leaves its time to the next; {@link #drainEnd} and {@link
 * #closeEnd} say how much of it the next phase may use.
 *
 * <p>The plan may become a shorter one while the shutdown runs: the ends that are fixed move with
 * it, at once.
 *
 * @param plans the plan that counts now
 * @param kind how the shutdown began
 * @param start the trigger
 * @param routed whether routers send requests to this process
 * @param started whether start-up was over
 */
record Budget(
    Supplier<ShutdownPlan> plans, Kind kind, Deadline start, boolean routed, boolean started) {
  /**
   * What records may take where there is time, however little is kept for the exit: in a short time
   * that is a twentieth, in which a busy processor may write no file.
   */
  private static final Duration RECORDS = Duration.ofSeconds(1);

  /**
   * How long to serve on after readiness failed where routers still send and no {@code
   * readiness-hold} is set: a probe with {@code periodSeconds: 5} and {@code failureThreshold: 2}.
   */
  static final Duration HOLD_IF_STILL_ROUTED = Duration.ofSeconds(10);

  ShutdownPlan plan() {
    return plans.get();
  }

  /** A moment that moves with the plan. */
  private Deadline sinceStart(Function<ShutdownPlan, Duration> time) {
    return Deadline.movable(start.ticker(), () -> start.plus(time.apply(plan())).nanos());
  }

  /** Returns when the process is gone at the latest, whatever happens. */
  Deadline halt() {
    return sinceStart(ShutdownPlan::untilHalt);
  }

  /** Returns how long to serve on; zero where no router sends here, unless a delay was set. */
  Duration keepServing() {
    boolean unrouted = !routed && plan().value(Setting.PROPAGATION_DELAY).isDefault();
    return servesOn() && !unrouted ? plan().keepServing() : Duration.ZERO;
  }

  /** A person at a terminal does not wait for routers, nor does a JVM that is going down. */
  boolean isHurried() {
    return kind == Kind.INTERRUPT || kind == Kind.JVM_EXIT;
  }

  /** Nor is there anything to wait for where the process was never ready. */
  private boolean servesOn() {
    return started && !isHurried();
  }

  Deadline keepServingEnd() {
    return sinceStart(now -> keepServing()).earlier(drainLatest());
  }

  /** Returns when FAIL_READINESS ends. */
  Deadline holdEnd(boolean stillRouted) {
    return drainLatest().atMost(hold(stillRouted));
  }

  /**
   * Returns how long to serve on after readiness failed.
   *
   * @param stillRouted whether new connections came until the end of the propagation delay: then
   *     routers wait for readiness to fail, and get up to half of the time until DRAIN's latest end
   */
  private Duration hold(boolean stillRouted) {
    if (!servesOn()) {
      return Duration.ZERO;
    }
    if (!stillRouted || !plan().value(Setting.READINESS_HOLD).isDefault()) {
      return plan().readinessHold();
    }
    Duration left = start.plus(keepServing()).until(drainLatest()).dividedBy(2);
    return Durations.min(HOLD_IF_STILL_ROUTED, left);
  }

  /**
   * Returns when DRAIN ends.
   *
   * @param nothingToClose no long-lived connection is open and no closer registered: DRAIN gets the
   *     time kept for CLOSE_CONNECTIONS too, less what closing listeners and answering unfinished
   *     requests may take after its end: taken out of EXIT's time, very many of those answers would
   *     have too little time to be sent
   */
  Deadline drainEnd(boolean nothingToClose) {
    Duration late =
        Durations.min(Drain.LATE_WORK.multipliedBy(2), plan().closeTimeout().dividedBy(2));
    Deadline latest = nothingToClose ? closeLatest().plus(late.negated()) : drainLatest();
    Deadline end = plan().drainsWhatRemains() ? latest : latest.atMost(plan().drainTimeout());
    return kind == Kind.JVM_EXIT ? end.atMost(plan().exitDrainTimeout()) : end;
  }

  /**
   * Returns when steps of KEEP_SERVING are interrupted: the phase ends by the clock, and its steps
   * may run on. They leave half of the time for that to the steps of FAIL_READINESS.
   */
  Deadline keepServingStepsEnd() {
    return keepServingEnd().plus(overrun().dividedBy(2));
  }

  /** Returns when steps of FAIL_READINESS are interrupted, which ends by the clock, too. */
  Deadline holdStepsEnd(boolean stillRouted) {
    return drainPlanned(stillRouted).plus(overrun()).earlier(drainLatest());
  }

  /**
   * How much later than planned DRAIN begins at most: steps that hang leave it half of its time,
   * and must not delay a shutdown that is in a hurry.
   */
  private Duration overrun() {
    Duration half = drainPlanned(false).until(drainLatest()).dividedBy(2);
    return isHurried() ? Durations.min(half, plan().exitDrainTimeout()) : half;
  }

  /** When DRAIN begins if nothing delays it and no silence ends the wait early. */
  private Deadline drainPlanned(boolean stillRouted) {
    return start.plus(keepServing()).plus(hold(stillRouted)).earlier(drainLatest());
  }

  private boolean mayUseRemainder() {
    return plan().closesWhatRemains() && kind != Kind.JVM_EXIT;
  }

  /**
   * Returns when long-lived connections are closed at the latest; in a short time, that is the end
   * of the phase, since little is kept for it.
   */
  Deadline connectionsEnd(Deadline phaseEnd) {
    return plan().isShort() && mayUseRemainder()
        ? phaseEnd
        : phaseEnd.atMost(plan().closeTimeout());
  }

  /**
   * Returns when CLOSE_CONNECTIONS ends.
   *
   * @param anyCloser a closer is registered: it may use the time that DRAIN left, unless a timeout
   *     was set, or the JVM is going down already
   */
  Deadline closeEnd(boolean anyCloser) {
    boolean useRemainder = (anyCloser || plan().isShort()) && mayUseRemainder();
    return useRemainder ? closeLatest() : closeLatest().atMost(plan().closeTimeout());
  }

  /**
   * Steps of EXIT may take what remains, and always have a quarter of the time kept for EXIT. A JVM
   * that is going down already is held up for {@code exit-timeout} at most.
   */
  Deadline exitEnd() {
    Deadline end = beforeHalt(plan().exitTimeout().multipliedBy(3).dividedBy(4));
    return kind == Kind.JVM_EXIT ? end.atMost(plan().exitTimeout()) : end;
  }

  /**
   * The report, its listeners and the log have the next quarter; other JVM hooks have the rest.
   * None of them takes what remains: no work is lost by a listener that hangs.
   */
  Deadline publishEnd() {
    return beforeHalt(plan().exitTimeout().dividedBy(2)).atMost(forRecords());
  }

  /** Where earlier phases overran even that, three quarters of the time until the halt are kept. */
  private Deadline beforeHalt(Duration kept) {
    Deadline late = halt().atMost(halt().remaining().dividedBy(4));
    return halt().plus(kept.negated()).later(late);
  }

  /** Probes have a moment after the report; it ends before the report of a hang is due. */
  Deadline probesEnd() {
    Duration kept = plan().exitTimeout().multipliedBy(9).dividedBy(20);
    return halt().plus(kept.negated()).atMost(forRecords());
  }

  private Duration forRecords() {
    return Durations.max(plan().exitTimeout(), RECORDS);
  }

  /** Returns the latest end of DRAIN: CLOSE_CONNECTIONS and EXIT keep their time. */
  Deadline drainLatest() {
    return sinceStart(now -> now.untilHalt().minus(now.exitTimeout()).minus(now.closeTimeout()));
  }

  private Deadline closeLatest() {
    return sinceStart(now -> now.untilHalt().minus(now.exitTimeout()));
  }
}
