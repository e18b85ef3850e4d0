package io.lastcall.report;

import static io.lastcall.report.ReportText.counted;
import static io.lastcall.report.ReportText.duration;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Durations;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.report.Advice.Kind;
import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds what a report suggests. Without format strings, which are slow at their first use: it
 * stands between the last response and the exit.
 *
 * <p>The advice on the delay rests on the last new connection. One that came before readiness
 * failed says how long the delay must be. One that came after that may be of a router that goes by
 * readiness alone, as all do where the container ends and its pod stays: then no delay is long
 * enough, and a hold is what helps. It helps with a router that is only slow, too.
 */
final class Adviser {
  /** Requests named in the text; the report lists more. */
  private static final int NAMED = 5;

  /** Less than a tenth of the time until the halt left over is little. */
  private static final int TIGHT_DIVISOR = 10;

  private final ShutdownReport report;
  private final ShutdownPlan plan;
  private final Trigger.Kind trigger;
  private final List<Advice> advice = new ArrayList<>();

  Adviser(ShutdownReport report) {
    this.report = report;
    plan = report.plan();
    trigger = report.trigger().kind();
  }

  List<Advice> advice() {
    unfinished();
    lateSteps();
    openConnections();
    tightGracePeriod();
    report.requests().lastConnection().filter(last -> wasServedForRouters()).ifPresent(this::delay);
    advice.sort(Comparator.comparing(Advice::kind));
    return List.copyOf(advice);
  }

  /** A person at a terminal, a System.exit, or a process outside Kubernetes waits for no router. */
  private boolean wasServedForRouters() {
    boolean outside =
        plan.propagationDelay().isZero() && plan.value(Setting.PROPAGATION_DELAY).isDefault();
    return (trigger == Trigger.Kind.STOP_SIGNAL || trigger == Trigger.Kind.REQUEST) && !outside;
  }

  private void unfinished() {
    long abandoned = report.requests().abandoned();
    Optional<PhaseReport> drain = phase(Phase.DRAIN).filter(phase -> !phase.complete());
    if (abandoned == 0 || drain.isEmpty()) {
      return;
    }
    // Not all of them are listed, and maybe none.
    String named =
        report.unfinished().stream()
            .limit(NAMED)
            .map(ReportText::describe)
            .collect(Collectors.joining(", "));
    add(
        Kind.REQUESTS_OUTLIVED_DRAIN,
        "DRAIN timed out after "
            + duration(drain.get().took())
            + " with "
            + counted(abandoned, "request")
            + " still running"
            + (named.isEmpty() ? "" : ": " + named)
            + (named.isEmpty() || abandoned <= NAMED ? "" : ", ...")
            + "; bound them, or raise "
            + whatBoundDrain());
  }

  private String whatBoundDrain() {
    if (trigger == Trigger.Kind.JVM_EXIT) {
      return "exit-drain-timeout";
    }
    return plan.drainsWhatRemains() ? "grace-period" : "drain-timeout";
  }

  private void lateSteps() {
    for (StepReport step : report.steps()) {
      if (step.result() == Result.TIMED_OUT) {
        add(
            Kind.STEP_WAS_LATE,
            "step '"
                + step.name()
                + "' of "
                + step.phase()
                + " was cut off after "
                + duration(step.took())
                + ": bound what it waits for, or give it longer");
      }
    }
  }

  private void openConnections() {
    long open = report.connectionsAbandoned();
    if (open > 0) {
      add(
          Kind.CONNECTIONS_STAYED_OPEN,
          counted(open, "long-lived connection")
              + " did not close when told; close-timeout "
              + duration(plan.closeTimeout()));
    }
  }

  private void tightGracePeriod() {
    Duration until = plan.untilHalt();
    Duration left = until.minus(report.took());
    if (trigger != Trigger.Kind.JVM_EXIT && left.compareTo(until.dividedBy(TIGHT_DIVISOR)) < 0) {
      add(
          Kind.GRACE_PERIOD_IS_TIGHT,
          "took "
              + duration(report.took())
              + " of the "
              + duration(until)
              + " until the process is halted; grace-period "
              + duration(plan.gracePeriod()));
    }
  }

  /**
   * @param last from the trigger to the last new connection
   */
  private void delay(Duration last) {
    Duration served = phase(Phase.KEEP_SERVING).map(PhaseReport::took).orElse(plan.keepServing());
    boolean isLate = last.compareTo(served) >= 0;
    Duration delay = plan.propagationDelay();
    Duration enough = enough(last.plus(plan.preStopDelay())).minus(plan.readinessHold());
    if (isLate && served.compareTo(plan.keepServing()) < 0) {
      raise(last, "propagation-minimum to " + duration(Durations.min(enough, delay)));
    } else if (isLate && isReadinessFailedOnlyThen(served)) {
      hold(last.minus(served), served);
    } else if (enough.compareTo(delay) > 0) {
      raise(last, "it to " + duration(enough));
    } else {
      shorten(last);
    }
  }

  private boolean isReadinessFailedOnlyThen(Duration served) {
    return plan.readinessPolicy() == ReadinessPolicy.AFTER_PROPAGATION && !served.isZero();
  }

  private void hold(Duration after, Duration failed) {
    Duration enough = enough(after);
    if (enough.compareTo(plan.readinessHold()) > 0) {
      add(
          Kind.RAISE_READINESS_HOLD,
          "new connections came until "
              + duration(after)
              + " after readiness had failed at "
              + duration(failed)
              + "; raise readiness-hold to "
              + duration(enough)
              + ": routers that go by readiness leave only then, however long the delay");
    }
  }

  private void raise(Duration last, String what) {
    add(Kind.RAISE_PROPAGATION_DELAY, connection(last) + "; raise " + what);
  }

  /** Silence says nothing before every response says close, in the middle of the delay. */
  private void shorten(Duration last) {
    Duration delay = plan.propagationDelay();
    Duration enough =
        Durations.max(enough(last.plus(plan.preStopDelay())), wholeSeconds(delay.dividedBy(2)));
    if (enough.compareTo(delay) < 0 && !plan.isAdaptive()) {
      add(
          Kind.SHORTER_DELAY_WAS_ENOUGH,
          connection(last) + "; " + duration(enough) + " would have been enough this time");
    }
  }

  private String connection(Duration last) {
    String preStop =
        plan.preStopDelay().isZero()
            ? ""
            : " (" + duration(plan.preStopDelay()) + " of it preStop)";
    return "last new connection "
        + duration(last)
        + " after the trigger; propagation delay "
        + duration(plan.propagationDelay())
        + preStop;
  }

  /** A quarter and a second more than what was seen, in whole seconds: one sample is no bound. */
  private static Duration enough(Duration seen) {
    return wholeSeconds(seen.multipliedBy(5).dividedBy(4).plusSeconds(1));
  }

  private static Duration wholeSeconds(Duration duration) {
    return Duration.ofSeconds((duration.toMillis() + 999) / 1_000);
  }

  private Optional<PhaseReport> phase(Phase phase) {
    return report.phases().stream().filter(each -> each.phase() == phase).findAny();
  }

  private void add(Kind kind, String text) {
    advice.add(new Advice(kind, text));
  }
}
