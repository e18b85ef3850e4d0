package io.lastcall.micrometer;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.report.ShutdownStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** What can be asked at any time: state, requests, time. */
final class StatusMeters {
  private static final String REQUESTS = "requests";
  private static final double NANOS = 1e9;

  private final GracefulShutdown shutdown;
  private final Binding binding;

  StatusMeters(GracefulShutdown shutdown, Binding binding) {
    this.shutdown = shutdown;
    this.binding = binding;
  }

  void bind() {
    state("serving", Optional.empty());
    for (Phase phase : Phase.values()) {
      state(ShutdownMetrics.lower(phase), Optional.of(phase));
    }
    gauge("lastcall.ready", "Whether readiness passes, 1 or 0", "", now -> now.ready() ? 1 : 0);
    gauge("lastcall.inflight.requests", "Requests in flight", REQUESTS, ShutdownStatus::inFlight);
    gauge(
        "lastcall.abandoned.requests",
        "Requests that were still running when DRAIN ended",
        REQUESTS,
        now -> now.requests().abandoned());
    counter(
        "lastcall.started.requests",
        "Requests that asked to enter, refused ones included",
        ShutdownStatus::started);
    counter(
        "lastcall.finished.requests",
        "Requests that have left, refused ones included",
        ShutdownStatus::finished);
    counter(
        "lastcall.late.requests",
        "Requests admitted in DRAIN or after, when no router should send here any more",
        now -> now.requests().late());
    counter(
        "lastcall.refused.requests",
        "Requests answered 503 because of the shutdown",
        now -> now.requests().refused());
    time(
        "lastcall.last.arrival",
        "From the trigger to the last request that arrived after it; no number if none did",
        now -> now.requests().lastArrival().map(StatusMeters::seconds).orElse(Double.NaN));
    time(
        "lastcall.last.connection",
        "From the trigger to the last connection accepted after it that brought a request",
        now -> now.requests().lastConnection().map(StatusMeters::seconds).orElse(Double.NaN));
    time(
        "lastcall.budget.left",
        "Until the process is gone whatever happens; before the trigger all of it",
        now -> seconds(now.budgetLeft()));
    time(
        "lastcall.propagation.delay",
        "The planned propagation delay, to compare the last arrival with",
        now -> seconds(shutdown.plan().propagationDelay()));
  }

  /** One gauge for each state, 1 for the one it is in: as OpenTelemetry has states. */
  private void state(String name, Optional<Phase> phase) {
    binding.meter(
        Gauge.builder("lastcall.state", shutdown, it -> it.phase().equals(phase) ? 1 : 0)
                .description(
                    "1 for the phase the process is in, 0 for the others; serving before the trigger")
                .tag("state", name)
                .strongReference(true)
            ::register);
  }

  private void gauge(
      String name, String description, String unit, ToDoubleFunction<ShutdownStatus> value) {
    binding.meter(
        Gauge.builder(name, shutdown, it -> value.applyAsDouble(it.status()))
                .description(description)
                .baseUnit(unit.isEmpty() ? null : unit)
                .strongReference(true)
            ::register);
  }

  /** A counter holds its object weakly; the gauges beside it hold the same one. */
  private void counter(String name, String description, ToLongFunction<ShutdownStatus> value) {
    binding.meter(
        FunctionCounter.builder(name, shutdown, it -> value.applyAsLong(it.status()))
                .description(description)
                .baseUnit(REQUESTS)
            ::register);
  }

  /** In seconds for every registry: one that pushes would choose milliseconds for a TimeGauge. */
  private void time(String name, String description, ToDoubleFunction<ShutdownStatus> seconds) {
    gauge(name, description, "seconds", seconds);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / NANOS;
  }
}
