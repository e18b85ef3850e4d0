package io.lastcall.report;

import static java.time.Duration.ZERO;

import io.lastcall.inflight.LastClient;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Durations;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.text.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A change of the settings that one shutdown suggests: a sample of one, to be weighed with others.
 * {@code docs/report.md} says when each kind is given.
 *
 * @param kind its name in the JSON
 * @param text in words, with the numbers it rests on
 */
record Advice(Kind kind, String text) {

  enum Kind {
    /** New connections came after the propagation delay, when readiness had failed. */
    RAISE_READINESS_HOLD,
    /** New connections came after the propagation delay, or so late that the next may. */
    RAISE_PROPAGATION_DELAY,
    /** Little time was left until the halt. */
    GRACE_PERIOD_IS_TIGHT,
    /** A shorter delay would have been enough, this time. */
    SHORTER_DELAY_WAS_ENOUGH
  }

  /** The grace period is tight where less than a tenth of the time until the halt was left. */
  private static final int TIGHT_DIVISOR = 10;

  /** Of {@link #enough}. */
  private static final String RULE = " (a quarter and a second more than seen)";

  /** Returns what {@code report} suggests, most important first. */
  static List<Advice> of(ShutdownReport report) {
    if (report.plan().isShortened()) {
      return List.of(); // a shutdown in less time than declared says nothing about the settings
    }
    List<Advice> advice = new ArrayList<>();
    onDelay(report).ifPresent(advice::add);
    ShutdownPlan plan = report.plan();
    Duration left = plan.untilHalt().minus(report.took());
    if (report.trigger().kind() != Trigger.Kind.JVM_EXIT
        && left.compareTo(plan.untilHalt().dividedBy(TIGHT_DIVISOR)) < 0) {
      String text =
          "took "
              + Words.of(report.took())
              + " of the "
              + Words.of(plan.untilHalt())
              + " until the process is halted; grace-period "
              + Words.of(plan.gracePeriod());
      advice.add(new Advice(Kind.GRACE_PERIOD_IS_TIGHT, text));
    }
    advice.sort(Comparator.comparing(Advice::kind));
    return advice;
  }

  /**
   * Rests on the last new connection. One that came before readiness failed shows how long the
   * delay must be. One that came later may be of a router that goes by readiness alone, as all do
   * where the container ends and its pod stays: no delay is long enough for it, a hold is.
   */
  private static Optional<Advice> onDelay(ShutdownReport report) {
    Optional<Duration> lastConnection = report.requests().lastConnection();
    if (lastConnection.isEmpty() || !hasRouters(report)) {
      return Optional.empty();
    }
    ShutdownPlan plan = report.plan();
    Duration last = lastConnection.get();
    Duration served =
        report.phases().stream()
            .filter(phase -> phase.phase() == Phase.KEEP_SERVING)
            .map(PhaseReport::took)
            .findAny()
            .orElse(plan.keepServing());
    Duration delay = plan.propagationDelay();
    Duration sincePreStop = enough(last.plus(plan.preStopDelay()));
    Duration enough = sincePreStop.minus(plan.readinessHold());
    boolean late = last.compareTo(served) >= 0;
    if (late && plan.isAdaptive() && served.compareTo(plan.keepServing()) < 0) {
      String minimum =
          enough.compareTo(delay) < 0
              ? Words.of(enough) + rule(plan)
              : Words.of(delay) + ", all of the delay";
      return raise(plan, last, "propagation-minimum to " + minimum);
    }
    if (late && plan.readinessPolicy() == ReadinessPolicy.AFTER_PROPAGATION && !served.isZero()) {
      return hold(report, last.minus(served), served);
    }
    if (enough.compareTo(delay) > 0) {
      return raise(plan, last, "it to " + Words.of(enough) + rule(plan));
    }
    // Before the middle of the delay not every response says close: silence shows nothing there.
    Duration shorter = Durations.max(sincePreStop, wholeSeconds(delay.dividedBy(2)));
    String text = seen(plan, last) + Words.of(shorter) + " would have been enough this time";
    return shorter.compareTo(delay) < 0 && !plan.isAdaptive()
        ? Optional.of(new Advice(Kind.SHORTER_DELAY_WAS_ENOUGH, text))
        : Optional.empty();
  }

  /** SIGINT and System.exit wait for no router; outside Kubernetes there is none to wait for. */
  private static boolean hasRouters(ShutdownReport report) {
    ShutdownPlan plan = report.plan();
    Trigger.Kind kind = report.trigger().kind();
    boolean outside =
        plan.propagationDelay().isZero() && plan.value(Setting.PROPAGATION_DELAY).isDefault();
    return (kind == Trigger.Kind.STOP_SIGNAL || kind == Trigger.Kind.REQUEST) && !outside;
  }

  private static Optional<Advice> hold(ShutdownReport report, Duration after, Duration failed) {
    Duration enough = enough(after);
    String text =
        "new connections came until "
            + Words.of(after)
            + " after readiness had failed at "
            + Words.of(failed)
            + "; raise readiness-hold to "
            + Words.of(enough)
            + RULE
            + ": routers that go by readiness leave only then, however long the delay"
            + report.lastClient().map(client -> alone(client, failed, enough)).orElse("");
    return enough.compareTo(report.plan().readinessHold()) > 0
        ? Optional.of(new Advice(Kind.RAISE_READINESS_HOLD, text))
        : Optional.empty();
  }

  /** Names the client of the last connections, where the others need a shorter hold, or none. */
  private static String alone(LastClient client, Duration failed, Duration enough) {
    Duration others =
        Durations.max(client.others().map(last -> last.minus(failed)).orElse(ZERO), ZERO);
    if (!others.isZero() && enough(others).compareTo(enough) >= 0) {
      return "";
    }
    return ". "
        + (others.isZero() ? "Since readiness failed" : "After " + Words.of(others))
        + " they came from "
        + client.address().getHostAddress()
        + " alone: if it goes straight to the Pod, as a scraper does, "
        + (others.isZero() ? "no hold is needed" : Words.of(enough(others)) + " is enough");
  }

  private static String rule(ShutdownPlan plan) {
    return plan.readinessHold().isZero() ? RULE : RULE.replace(")", ", less the hold)");
  }

  private static Optional<Advice> raise(ShutdownPlan plan, Duration last, String what) {
    return Optional.of(
        new Advice(Kind.RAISE_PROPAGATION_DELAY, seen(plan, last) + "raise " + what));
  }

  private static String seen(ShutdownPlan plan, Duration last) {
    return "last new connection "
        + Words.of(last)
        + " after the trigger; propagation delay "
        + Words.of(plan.propagationDelay())
        + (plan.preStopDelay().isZero()
            ? ""
            : " (" + Words.of(plan.preStopDelay()) + " of it preStop)")
        + "; ";
  }

  /** A quarter and a second more than what was seen, in whole seconds: one sample is no bound. */
  private static Duration enough(Duration seen) {
    return wholeSeconds(seen.multipliedBy(5).dividedBy(4).plusSeconds(1));
  }

  private static Duration wholeSeconds(Duration duration) {
    return Duration.ofSeconds((duration.toMillis() + 999) / 1_000);
  }
}
