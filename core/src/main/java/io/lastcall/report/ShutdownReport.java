package io.lastcall.report;

import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a shutdown did, from the trigger to just before the exit. Immutable. */
public final class ShutdownReport {
  private final ShutdownPlan plan;
  private final Trigger trigger;
  private final Instant began;
  private final Duration took;
  private final List<PhaseReport> phases;
  private final List<StepReport> steps;
  private final RequestTotals requests;
  private final List<UnfinishedRequest> unfinished;
  private final List<WorkReport> work;
  private final List<String> handedBack;
  private final List<String> droppedTasks;
  private final Map<String, Long> connectionsClosed;
  private final long connectionsAbandoned;
  private final Outcome outcome;
  private final int exitCode;
  private final boolean exitCodeIsOurs;
  private final List<String> problems;

  private ShutdownReport(Builder made) {
    plan = made.plan;
    trigger = made.trigger;
    began = made.began;
    took = made.took;
    phases = List.copyOf(made.phases);
    steps = List.copyOf(made.steps);
    requests = made.requests;
    unfinished = List.copyOf(made.unfinished);
    work = List.copyOf(made.work);
    handedBack = List.copyOf(made.handedBack);
    droppedTasks = List.copyOf(made.droppedTasks);
    connectionsClosed = Map.copyOf(made.connectionsClosed);
    connectionsAbandoned = made.connectionsAbandoned;
    outcome = made.outcome;
    exitCode = made.exitCode;
    exitCodeIsOurs = made.exitCodeIsOurs;
    problems = List.copyOf(made.problems);
  }

  /** Returns a builder of a report: the library's own, and for tests of what reads reports. */
  public static Builder builder(ShutdownPlan plan, Trigger trigger) {
    return new Builder(plan, trigger);
  }

  /** Returns what was planned. */
  public ShutdownPlan plan() {
    return plan;
  }

  /** Returns what began it. */
  public Trigger trigger() {
    return trigger;
  }

  /** Returns when, by the wall clock: to find it in logs, not to calculate with. */
  public Instant began() {
    return began;
  }

  /** Returns the time from the trigger to this report. */
  public Duration took() {
    return took;
  }

  /** Returns the phases, in their order. */
  public List<PhaseReport> phases() {
    return phases;
  }

  /** Returns the steps, by phase, order and deadline. */
  public List<StepReport> steps() {
    return steps;
  }

  /** Returns the requests. */
  public RequestTotals requests() {
    return requests;
  }

  /** Returns the requests and work that were running when DRAIN timed out; at most 100. */
  public List<UnfinishedRequest> unfinished() {
    return unfinished;
  }

  /** Returns the work, by name. */
  public List<WorkReport> work() {
    return work;
  }

  /** Returns the sources and jobs whose work was handed back. */
  public List<String> handedBack() {
    return handedBack;
  }

  /** Returns the tasks that were waiting when DRAIN timed out: executor and class. */
  public List<String> droppedTasks() {
    return droppedTasks;
  }

  /** Returns how many long-lived connections were ended, by kind. */
  public Map<String, Long> connectionsClosed() {
    return connectionsClosed;
  }

  /** Returns how many long-lived connections were still open at the end. */
  public long connectionsAbandoned() {
    return connectionsAbandoned;
  }

  /** Returns whether it was clean. */
  public Outcome outcome() {
    return outcome;
  }

  /** Returns what the process exits with, if {@link #exitCodeIsOurs}. */
  public int exitCode() {
    return exitCode;
  }

  /** Returns false where somebody else's {@code System.exit}, or the JVM's own, has chosen it. */
  public boolean exitCodeIsOurs() {
    return exitCodeIsOurs;
  }

  /** Returns what has gone wrong beside requests, steps and connections, in words. */
  public List<String> problems() {
    return problems;
  }

  /** Returns what the evidence of this shutdown suggests, most important first. */
  public List<Advice> advice() {
    return new Adviser(this).advice();
  }

  /** Returns outcome, requests and what went wrong in one line. */
  public String summary() {
    return new ReportText(this).summary();
  }

  /**
   * Returns the report as the log has it, in at most six lines: outcome, phases, requests, what
   * went wrong, and the most important advice.
   */
  public List<String> lines() {
    return new ReportText(this).lines();
  }

  /**
   * Returns what {@code kubectl describe pod} shall show: the outcome, what was late or stuck, the
   * advice, and then the rest. What is written of it is cut to the 4096 bytes that a kubelet takes.
   */
  public String terminationMessage() {
    return new ReportText(this).terminationMessage();
  }

  /** Returns the report as JSON; {@code docs/report.md} describes it. */
  public String json() {
    return ReportJson.of(this);
  }

  /** Returns this report with something that has gone wrong after it was made, in words. */
  public ShutdownReport noting(String problem) {
    return with(problem, outcome, exitCode);
  }

  /** Returns this report as it is where the process is halted after it. */
  public ShutdownReport halted(String hanging) {
    return with(hanging, Outcome.HALTED, ShutdownPlan.HALTED_EXIT_CODE);
  }

  private ShutdownReport with(String problem, Outcome newOutcome, int newExitCode) {
    List<String> all = new ArrayList<>(problems);
    all.add(problem);
    return builder(plan, trigger)
        .time(began, took)
        .phases(phases, steps)
        .requests(requests, unfinished)
        .work(work, handedBack, droppedTasks)
        .connections(connectionsClosed, connectionsAbandoned)
        .problems(all)
        .exit(newOutcome, newExitCode, exitCodeIsOurs)
        .build();
  }

  /** Returns what stands in place of {@link #json()} where the process is halted before it. */
  public static String haltedJson(String phase, String hanging) {
    return ReportJson.halted(phase, hanging);
  }

  /** Returns what stands where {@link #json()} will, while there is no report yet. */
  public static String unfinishedJson() {
    return ReportJson.unfinished();
  }

  @Override
  public String toString() {
    return summary();
  }

  /** Facts of a shutdown. What is not given is nothing, and clean. Not thread-safe. */
  public static final class Builder {
    private final ShutdownPlan plan;
    private final Trigger trigger;
    private Instant began = Instant.EPOCH;
    private Duration took = Duration.ZERO;
    private List<PhaseReport> phases = List.of();
    private List<StepReport> steps = List.of();
    private RequestTotals requests = RequestTotals.NONE;
    private List<UnfinishedRequest> unfinished = List.of();
    private List<WorkReport> work = List.of();
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

    /** When it began, by the wall clock, and how long it took. */
    public Builder time(Instant beginning, Duration duration) {
      began = beginning;
      took = duration;
      return this;
    }

    /** The phases and steps, in their order. */
    public Builder phases(List<PhaseReport> allPhases, List<StepReport> allSteps) {
      phases = allPhases;
      steps = allSteps;
      return this;
    }

    /** The requests, and those of them that outlived DRAIN. */
    public Builder requests(RequestTotals totals, List<UnfinishedRequest> outlived) {
      requests = totals;
      unfinished = outlived;
      return this;
    }

    /** The work by name, what of it was handed back, and the tasks that were dropped. */
    public Builder work(List<WorkReport> all, List<String> returned, List<String> dropped) {
      work = all;
      handedBack = returned;
      droppedTasks = dropped;
      return this;
    }

    /** The long-lived connections that were ended, by kind, and how many were not. */
    public Builder connections(Map<String, Long> closed, long abandoned) {
      connectionsClosed = closed;
      connectionsAbandoned = abandoned;
      return this;
    }

    /** What else has gone wrong, in words. */
    public Builder problems(List<String> words) {
      problems = words;
      return this;
    }

    /** How it ended; the code is {@code ours} unless somebody else has chosen it. */
    public Builder exit(Outcome result, int code, boolean ours) {
      outcome = result;
      exitCode = code;
      exitCodeIsOurs = ours;
      return this;
    }

    /** Returns the report. */
    public ShutdownReport build() {
      return new ShutdownReport(this);
    }
  }
}
