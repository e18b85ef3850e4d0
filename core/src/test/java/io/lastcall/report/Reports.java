package io.lastcall.report;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.inflight.LastClient;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.StepReport.Result;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Reports made by hand. The plan: grace 30 s, delay 15 s, drain 9.75 s, close 3.25 s, exit 1 s,
 * reserve 1 s.
 */
final class Reports {
  private Trigger trigger = new Trigger(Kind.STOP_SIGNAL, "SIGTERM");
  private Duration took = Duration.ofMillis(15_042);
  private boolean clean = true;
  private Duration drain = Duration.ofMillis(40);
  private RequestTotals requests =
      new RequestTotals(
          120,
          0,
          0,
          0,
          0,
          Optional.of(Duration.ofMillis(6_200)),
          Optional.of(Duration.ofMillis(3_100)));
  private Optional<LastClient> lastClient = Optional.empty();
  private final List<StepReport> steps = new ArrayList<>();
  private final List<InFlightRequest> unfinished = new ArrayList<>();
  private final Map<String, String> environment =
      new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
  private Map<String, Long> closed = Map.of();
  private long abandoned;
  private Duration endedEarlyBy = Duration.ZERO;
  private long open;

  static Reports clean() {
    return new Reports();
  }

  static Reports incomplete() {
    Reports reports = new Reports();
    reports.clean = false;
    return reports;
  }

  Reports trigger(Kind kind, String reason) {
    trigger = new Trigger(kind, reason);
    return this;
  }

  Reports took(Duration duration) {
    took = duration;
    return this;
  }

  Reports setting(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Reports outsideKubernetes() {
    environment.remove("KUBERNETES_SERVICE_HOST");
    return this;
  }

  Reports requests(long late, long refused) {
    requests =
        new RequestTotals(
            120, late, refused, 0, 0, requests.lastArrival(), requests.lastConnection());
    return this;
  }

  Reports noRequests() {
    requests = RequestTotals.NONE;
    return this;
  }

  Reports noNewConnection() {
    requests = new RequestTotals(120, 0, 0, 0, 0, requests.lastArrival(), Optional.empty());
    return this;
  }

  Reports lastConnection(long millis) {
    Duration last = Duration.ofMillis(millis);
    requests =
        new RequestTotals(
            120,
            requests.late(),
            requests.refused(),
            0,
            0,
            Optional.of(last.plusMillis(1)),
            Optional.of(last));
    return this;
  }

  /** With milliseconds from the trigger to the last connection of others, if any. */
  Reports lastClient(String address, Optional<Long> others) throws UnknownHostException {
    lastClient =
        Optional.of(new LastClient(InetAddress.getByName(address), others.map(Duration::ofMillis)));
    return this;
  }

  Reports unfinished(String description, long millis) {
    unfinished.add(
        new InFlightRequest(
            description,
            Optional.of(Duration.ofMillis(millis)),
            Optional.of(new Thread("worker-1"))));
    return abandoned(unfinished.size());
  }

  /** Of which the report need not list all. */
  Reports abandoned(long count) {
    abandoned = count;
    drain = Duration.ofMillis(9_750);
    return this;
  }

  Reports keepServingEndedEarlyBy(Duration duration) {
    endedEarlyBy = duration;
    return this;
  }

  Reports step(String name, Result result, Optional<Throwable> failure) {
    Duration began = Duration.ofMillis(15_001);
    Duration five = Duration.ofSeconds(5);
    steps.add(new StepReport(Phase.DRAIN, name, 0, began, five, result, failure));
    return this;
  }

  Reports connections(Map<String, Long> ended, long stillOpen) {
    closed = ended;
    open = stillOpen;
    return this;
  }

  ShutdownReport build() {
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(environment, new Properties()));
    Duration planned = plan.keepServing();
    Duration keep = planned.minus(endedEarlyBy);
    Duration hold = plan.readinessHold();
    Duration drainBegan = keep.plus(hold);
    return ShutdownReport.builder(plan, trigger)
        .time(Instant.parse("2026-11-21T10:15:30Z"), took)
        .phases(
            List.of(
                phase(Phase.KEEP_SERVING, Duration.ZERO, planned, keep),
                phase(Phase.FAIL_READINESS, keep, hold, hold),
                new PhaseReport(Phase.DRAIN, drainBegan, plan.drainTimeout(), drain, clean),
                new PhaseReport(
                    Phase.CLOSE_CONNECTIONS,
                    drainBegan.plus(drain),
                    plan.closeTimeout(),
                    Duration.ZERO,
                    open == 0),
                phase(
                    Phase.EXIT,
                    drainBegan.plus(drain),
                    Duration.ofMillis(500),
                    Duration.ofMillis(2))),
            steps)
        .requests(requests.abandoned(abandoned), unfinished)
        .lastClient(lastClient)
        .connections(closed, open)
        .exit(
            clean ? Outcome.CLEAN : Outcome.INCOMPLETE,
            clean ? 0 : 80,
            trigger.kind() != Trigger.Kind.JVM_EXIT)
        .build();
  }

  private static PhaseReport phase(Phase phase, Duration began, Duration planned, Duration took) {
    return new PhaseReport(phase, began, planned, took, true);
  }
}
