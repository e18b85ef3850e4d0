package io.lastcall.report;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.inflight.LastClient;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a shutdown did, from the trigger to just before the exit. Immutable. */
public final class ShutdownReport {

  /** How a shutdown ended. */
  public enum Outcome {
    /** Every request was answered, every step and phase ended in time. */
    CLEAN,
    /** Work was handed back, for another process to do: exit code 75, whatever else happened. */
    HANDED_BACK,
    /** Something timed out, failed or was abandoned; the report says what. */
    INCOMPLETE,
    /** The process was halted at the deadline; only the records in files say so. */
    HALTED
  }

  private final Builder facts;

  private ShutdownReport(Builder facts) {
    this.facts = facts;
  }

  /** Returns a builder: for the library, and for tests of code that reads reports. */
  public static Builder builder(ShutdownPlan plan, Trigger trigger) {
    return new Builder(plan, trigger);
  }

  /** Returns what was planned. */
  public ShutdownPlan plan() {
    return facts.plan;
  }

  /** Returns what began the shutdown. */
  public Trigger trigger() {
    return facts.trigger;
  }

  /** Returns when it began by the wall clock: to find it in logs, not to calculate with. */
  public Instant began() {
    return facts.began;
  }

  /** Returns the time from the trigger to this report. */
  public Duration took() {
    return facts.took;
  }

  /** Returns the phases, in their order. */
  public List<PhaseReport> phases() {
    return facts.phases;
  }

  /** Returns the steps, by phase, order and deadline. */
  public List<StepReport> steps() {
    return facts.steps;
  }

  /** Returns the requests. */
  public RequestTotals requests() {
    return facts.requests;
  }

  /** Whose the last new connection was, as far as the adapters know. */
  Optional<LastClient> lastClient() {
    return facts.lastClient;
  }

  /**
   * Returns at most 100 of the requests and units of work that were running when DRAIN timed out.
   */
  public List<InFlightRequest> unfinished() {
    return facts.unfinished;
  }

  /** Returns the work, by name. */
  public List<WorkReport> work() {
    return facts.work;
  }

  /** Returns the sources that have finished what they had taken. */
  public List<String> finishedSources() {
    return facts.finishedSources;
  }

  /** Returns the sources and jobs whose work was handed back. */
  public List<String> handedBack() {
    return facts.handedBack;
  }

  /** Returns the tasks that were waiting when DRAIN timed out: executor and class. */
  public List<String> droppedTasks() {
    return facts.droppedTasks;
  }

  /** Returns how many long-lived connections the shutdown has ended, by kind. */
  public Map<String, Long> connectionsClosed() {
    return facts.connectionsClosed;
  }

  /** Returns how many long-lived connections were still open at the end. */
  public long connectionsAbandoned() {
    return facts.connectionsAbandoned;
  }

  /** Returns how it ended. */
  public Outcome outcome() {
    return facts.outcome;
  }

  /** Returns the process's exit code, if {@link #exitCodeIsOurs}. */
  public int exitCode() {
    return facts.exitCode;
  }

  /** Returns false where the application's {@code System.exit}, or the JVM itself, chose it. */
  public boolean exitCodeIsOurs() {
    return facts.exitCodeIsOurs;
  }

  /** Returns in words what else went wrong: a listener that hangs, requests that are uncounted. */
  public List<String> problems() {
    return facts.problems;
  }

  /** Returns in words which settings this shutdown suggests to change, most important first. */
  public List<String> advice() {
    return Advice.of(this).stream().map(Advice::text).toList();
  }

  /** Returns outcome, requests and failures in one line. */
  public String summary() {
    return new ReportText(this).summary();
  }

  /** Returns at most six lines for the log: outcome, phases, requests, failures, advice. */
  public List<String> lines() {
    return new ReportText(this).lines();
  }

  /** Returns the text for {@code kubectl describe pod}: outcome, failures, advice, the rest. */
  public String terminationMessage() {
    return new ReportText(this).terminationMessage();
  }

  /** Returns the report as JSON; {@code docs/report.md} describes it. */
  public String json() {
    return ReportJson.of(this);
  }

  /**
   * Returns a copy with a problem that was found after this report was made, in words.
   *
   * @hidden of the library itself
   */
  public ShutdownReport noting(String problem) {
    return copyWith(problem).build();
  }

  /**
   * Returns a copy that says that the process is halted, and what hangs.
   *
   * @hidden of the library itself
   */
  public ShutdownReport halted(String hanging) {
    return copyWith(hanging)
        .exit(Outcome.HALTED, ShutdownPlan.HALTED_EXIT_CODE, facts.exitCodeIsOurs)
        .build();
  }

  private Builder copyWith(String problem) {
    List<String> problems = new ArrayList<>(facts.problems);
    problems.add(problem);
    return new Builder(facts).problems(problems);
  }

  /**
   * Returns the JSON for a process that is halted before there is a report.
   *
   * @hidden of the library itself
   */
  public static String haltedJson(String phase, String hanging) {
    return ReportJson.halted(phase, hanging);
  }

  /**
   * Returns the JSON for a shutdown that has begun and has no report yet.
   *
   * @hidden of the library itself
   */
  public static String unfinishedJson() {
    return ReportJson.unfinished();
  }

  @Override
  public String toString() {
    return summary();
  }

  /**
   * Collects the facts; those that are not given are empty, and the outcome clean. Not thread-safe.
   */
  public static final class Builder {
    private final ShutdownPlan plan;
    private final Trigger trigger;
    private Instant began = Instant.EPOCH;
    private Duration took = Duration.ZERO;
    private List<PhaseReport> phases = List.of();
    private List<StepReport> steps = List.of();
    private RequestTotals requests = RequestTotals.NONE;
    private Optional<LastClient> lastClient = Optional.empty();
    private List<InFlightRequest> unfinished = List.of();
    private List<WorkReport> work = List.of();
    private List<String> finishedSources = List.of();
    private List<String> handedBack = List.of();
    private List<String> droppedTasks = List.of();
    private Map<String, Long> connectionsClosed = Map.of();
    private long connectionsAbandoned;
    private Outcome outcome = Outcome.CLEAN;
    private int exitCode;
    private boolean exitCodeIsOurs = true;
    private List<String> problems = List.of();

    private Builder(ShutdownPlan plan, Trigger trigger) {
      this.plan = plan;
      this.trigger = trigger;
    }

    private Builder(Builder other) {
      this(other.plan, other.trigger);
      time(other.began, other.took);
      phases(other.phases, other.steps);
      requests(other.requests, other.unfinished);
      lastClient(other.lastClient);
      work(other.work, other.handedBack, other.droppedTasks);
      finishedSources(other.finishedSources);
      connections(other.connectionsClosed, other.connectionsAbandoned);
      problems(other.problems);
      exit(other.outcome, other.exitCode, other.exitCodeIsOurs);
    }

    /** Sets when it began by the wall clock, and how long it took. */
    public Builder time(Instant beginning, Duration duration) {
      began = beginning;
      took = duration;
      return this;
    }

    /** Sets the phases and steps, in their order. */
    public Builder phases(List<PhaseReport> allPhases, List<StepReport> allSteps) {
      phases = List.copyOf(allPhases);
      steps = List.copyOf(allSteps);
      return this;
    }

    /** Sets the totals, and the requests that were running when DRAIN timed out. */
    public Builder requests(RequestTotals totals, List<InFlightRequest> running) {
      requests = totals;
      unfinished = List.copyOf(running);
      return this;
    }

    /**
     * Sets whose the last new connection was.
     *
     * @hidden of the library itself
     */
    public Builder lastClient(Optional<LastClient> known) {
      lastClient = known;
      return this;
    }

    /** Sets the work by name, what of it was handed back, and the tasks that were dropped. */
    public Builder work(List<WorkReport> all, List<String> returned, List<String> dropped) {
      work = List.copyOf(all);
      handedBack = List.copyOf(returned);
      droppedTasks = List.copyOf(dropped);
      return this;
    }

    /** Sets the sources that have finished. */
    public Builder finishedSources(List<String> names) {
      finishedSources = List.copyOf(names);
      return this;
    }

    /** Sets how many long-lived connections were ended, by kind, and how many were not. */
    public Builder connections(Map<String, Long> closed, long abandoned) {
      connectionsClosed = Map.copyOf(closed);
      connectionsAbandoned = abandoned;
      return this;
    }

    /** Sets what else went wrong, in words. */
    public Builder problems(List<String> words) {
      problems = List.copyOf(words);
      return this;
    }

    /** Sets how it ended; {@code ours} is false where the exit code was chosen elsewhere. */
    public Builder exit(Outcome result, int code, boolean ours) {
      outcome = result;
      exitCode = code;
      exitCodeIsOurs = ours;
      return this;
    }

    /** Returns the report. */
    public ShutdownReport build() {
      return new ShutdownReport(new Builder(this));
    }
  }
}
