package io.lastcall.report;

import static io.lastcall.report.ReportText.duration;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.report.Advice.Kind;
import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds what a report suggests. */
final class Adviser {
  /** Requests named in the text; the report lists more. */
  private static final int NAMED = 5;

  /** Less than a tenth of the time until the halt left over is little. */
  private static final int TIGHT_DIVISOR = 10;

  private final ShutdownReport report;
  private final ShutdownPlan plan;
  private final List<Advice> advice = new ArrayList<>();

  Adviser(ShutdownReport report) {
    this.report = report;
    plan = report.plan();
  }

  List<Advice> advice() {
    unfinished();
    lateSteps();
    openConnections();
    tightGracePeriod();
    Optional<Duration> last = report.requests().lastArrival();
    if (last.isPresent() && wasServedForRouters()) {
      propagation(last.get());
    }
    advice.sort(Comparator.comparing(Advice::kind));
    return List.copyOf(advice);
  }

  /** A person at a terminal, a System.exit, or a process outside Kubernetes waits for no router. */
  private boolean wasServedForRouters() {
    Trigger.Kind kind = report.trigger().kind();
    boolean outside =
        plan.propagationDelay().isZero() && plan.value(Setting.PROPAGATION_DELAY).isDefault();
    return (kind == Trigger.Kind.STOP_SIGNAL || kind == Trigger.Kind.REQUEST) && !outside;
  }

  private void unfinished() {
    long abandoned = report.requests().abandoned();
    Optional<PhaseReport> drain = phase(Phase.DRAIN);
    if (abandoned == 0 || drain.isEmpty() || drain.get().complete()) {
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
            + whatBoundDrain(),
        "requests",
        abandoned,
        "drainTook",
        drain.get().took(),
        "drainPlanned",
        drain.get().planned());
  }

  private String whatBoundDrain() {
    if (report.trigger().kind() == Trigger.Kind.JVM_EXIT) {
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
                + ": bound what it waits for, or give it longer",
            "took",
            step.took());
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
              + duration(plan.closeTimeout()),
          "connections",
          open,
          "closeTimeout",
          plan.closeTimeout());
    }
  }

  private void tightGracePeriod() {
    Duration until = plan.untilHalt();
    Duration left = until.minus(report.took());
    if (report.trigger().kind() != Trigger.Kind.JVM_EXIT
        && left.compareTo(until.dividedBy(TIGHT_DIVISOR)) < 0) {
      add(
          Kind.GRACE_PERIOD_IS_TIGHT,
          "took "
              + duration(report.took())
              + " of the "
              + duration(until)
              + " until the process is halted; grace-period "
              + duration(plan.gracePeriod()),
          "took",
          report.took(),
          "untilHalt",
          until,
          "gracePeriod",
          plan.gracePeriod());
    }
  }

  /** Compares the last arrival with the delay, both counted from the start of preStop. */
  private void propagation(Duration sinceTrigger) {
    long after = report.requests().late() + report.requests().refused();
    Duration served = phase(Phase.DRAIN).map(PhaseReport::began).orElse(plan.keepServing());
    Duration enough = enough(sinceTrigger.plus(plan.preStopDelay()));
    boolean endedEarly =
        plan.isAdaptive()
            && phase(Phase.KEEP_SERVING)
                .filter(keep -> keep.took().compareTo(keep.planned()) < 0)
                .isPresent();
    if (after > 0 && sinceTrigger.compareTo(served) >= 0) {
      raise(sinceTrigger, after, served, enough, endedEarly);
    } else if (enough.compareTo(plan.propagationDelay()) > 0) {
      propagation(
          Kind.PROPAGATION_DELAY_IS_TIGHT,
          sinceTrigger,
          enough,
          "that was close, raise it to " + duration(enough) + graceFor(enough));
    } else if (enough.compareTo(plan.propagationDelay()) < 0 && !plan.isAdaptive()) {
      propagation(
          Kind.SHORTER_DELAY_WAS_ENOUGH,
          sinceTrigger,
          enough,
          duration(enough) + " would have been enough this time");
    }
  }

  private void raise(
      Duration last, long after, Duration served, Duration enough, boolean endedEarly) {
    add(
        Kind.RAISE_PROPAGATION_DELAY,
        counted(after, "request")
            + " arrived after the delay had ended at "
            + duration(served)
            + ", the last "
            + duration(last)
            + " after the trigger: raise "
            + toRaise(enough, endedEarly)
            + " to "
            + duration(enough)
            + graceFor(enough),
        "requests",
        after,
        "lastArrival",
        last,
        "delayEnded",
        served,
        "propagationDelay",
        plan.propagationDelay(),
        "enough",
        enough);
  }

  /** The minimum is at most the delay. */
  private String toRaise(Duration enough, boolean endedEarly) {
    if (!endedEarly) {
      return "propagation-delay";
    }
    return enough.compareTo(plan.propagationDelay()) > 0
        ? "propagation-delay and propagation-minimum"
        : "propagation-minimum";
  }

  private void propagation(Kind kind, Duration last, Duration enough, String conclusion) {
    String preStop =
        plan.preStopDelay().isZero()
            ? ""
            : " (" + duration(plan.preStopDelay()) + " of it preStop)";
    add(
        kind,
        "last new request "
            + duration(last)
            + " after the trigger; propagation delay "
            + duration(plan.propagationDelay())
            + preStop
            + "; "
            + conclusion,
        "lastArrival",
        last,
        "propagationDelay",
        plan.propagationDelay(),
        "preStopDelay",
        plan.preStopDelay(),
        "enough",
        enough);
  }

  /** A quarter and a second more than what was seen, in whole seconds: one sample is no bound. */
  private static Duration enough(Duration seen) {
    long millis = seen.toMillis() * 5 / 4 + 1_000;
    return Duration.ofSeconds((millis + 999) / 1_000);
  }

  /** What a longer delay asks of the grace period, where what is set does not leave that much. */
  private String graceFor(Duration delay) {
    Duration needed = plan.smallestGracePeriod().plus(delay.minus(plan.propagationDelay()));
    return needed.compareTo(plan.gracePeriod()) > 0
        ? ", and grace-period to " + duration(needed)
        : "";
  }

  private Optional<PhaseReport> phase(Phase phase) {
    return report.phases().stream().filter(each -> each.phase() == phase).findAny();
  }

  private static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private void add(Kind kind, String text, Object... evidence) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    for (int i = 0; i < evidence.length; i += 2) {
      numbers.put((String) evidence[i], evidence[i + 1]);
    }
    advice.add(new Advice(kind, text, numbers));
  }
}
