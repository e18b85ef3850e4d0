package io.lastcall.micrometer;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.StepReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shutdown in metrics; {@code docs/metrics.md} lists them. Thread-safe.
 *
 * <p>Nobody scrapes a pod whose endpoint is gone. So the last values must leave by themselves: a
 * registry that pushes does it when it is closed, and it must be closed after the outcome is known,
 * behind every step of EXIT. {@link #closeAtEnd()} does that.
 *
 * <pre>{@code
 * new ShutdownMetrics(shutdown).closeAtEnd().bindTo(registry);
 * }</pre>
 */
public final class ShutdownMetrics implements MeterBinder {
  private static final Logger log = LoggerFactory.getLogger(ShutdownMetrics.class);
  private static final String PHASE = "phase";
  private static final String OUTCOME = "outcome";

  private final GracefulShutdown shutdown;
  private final List<Binding> bindings = new CopyOnWriteArrayList<>();
  private volatile boolean closing;

  /**
   * Makes metrics of a shutdown, bound to no registry yet.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public ShutdownMetrics(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
    shutdown.listener(new Recorder());
  }

  /**
   * Closes every registry this is bound to when the shutdown is over: behind all steps, with the
   * outcome recorded, and waited for until half of {@code exit-timeout} before the process is
   * halted at the latest. A registry that pushes sends its last values then; several are closed
   * concurrently. Default: the registries are left alone.
   */
  public ShutdownMetrics closeAtEnd() {
    closing = true;
    return this;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Binding binding = binding(registry);
    new StatusMeters(shutdown, binding).bind();
    new ConnectionMeters(shutdown.connections()).bind(binding);
    new WorkMeters(shutdown).bind(binding);
    for (Phase phase : Phase.values()) {
      phaseTimer(binding, phase, true);
    }
    for (Outcome outcome : Outcome.values()) {
      outcomes(binding, outcome);
    }
  }

  /** One for a registry, however often it is bound: what is recorded counts once. */
  private synchronized Binding binding(MeterRegistry registry) {
    for (Binding known : bindings) {
      if (known.isOf(registry)) {
        return known;
      }
    }
    Binding added = new Binding(registry);
    bindings.add(added);
    return added;
  }

  /**
   * Removes the meters from every registry this is bound to, and lets go of the registries: for an
   * application that ends while its process and the shutdown go on, as in tests. Nothing is
   * recorded there any more. What others have bound of the same shutdown to the same registry are
   * the same meters, and go too. It may be bound again. Idempotent.
   */
  public void unbind() {
    each(
        binding -> {
          bindings.remove(binding);
          binding.letGo();
        });
  }

  /** One registry that fails must not keep the others from their turn. */
  private void each(Consumer<Binding> action) {
    for (Binding binding : bindings) {
      guarded(binding, action);
    }
  }

  private static void guarded(Binding binding, Consumer<Binding> action) {
    try {
      action.accept(binding);
    } catch (Throwable t) {
      log.warn("{} failed", binding, t);
    }
  }

  /**
   * Concurrently: one whose collector does not answer must not take the others' time. Core limits
   * how long it waits for this.
   */
  private void closeAll() {
    bindings.stream()
        .filter(Binding::isClosed)
        .forEach(
            binding ->
                log.warn(
                    "{} was closed before the outcome was known, so it does not push the outcome",
                    binding));
    CompletableFuture.allOf(
            bindings.stream()
                .map(
                    binding ->
                        CompletableFuture.runAsync(
                            () -> guarded(binding, Binding::close),
                            ShutdownMetrics::onItsOwnThread))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  private static void onItsOwnThread(Runnable close) {
    Thread thread = new Thread(close, "lastcall-registry");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError noThreadLeft) {
      close.run();
    }
  }

  private static @Nullable Timer phaseTimer(Binding binding, Phase phase, boolean complete) {
    return binding.meter(
        registry ->
            Timer.builder("lastcall.phase")
                .description("How long a phase of the shutdown took")
                .tag(PHASE, lower(phase))
                .tag(OUTCOME, complete ? "completed" : "incomplete")
                .register(registry));
  }

  private static @Nullable Timer stepTimer(Binding binding, StepReport step) {
    return binding.meter(
        registry ->
            Timer.builder("lastcall.step")
                .description("How long a step of the shutdown took")
                .tag(PHASE, lower(step.phase()))
                .tag("step", step.name())
                .tag(OUTCOME, lower(step.result()))
                .register(registry));
  }

  private static @Nullable Counter outcomes(Binding binding, Outcome outcome) {
    return binding.meter(
        registry ->
            Counter.builder("lastcall.shutdowns")
                .description(
                    "Shutdowns that ran to their end, by outcome: one, just before the exit")
                .tag(OUTCOME, lower(outcome))
                .register(registry));
  }

  private static void recordEnd(Binding binding, ShutdownReport report) {
    for (StepReport step : report.steps()) {
      record(stepTimer(binding, step), step.took());
    }
    Counter ended = outcomes(binding, report.outcome());
    if (ended != null) {
      ended.increment();
    }
  }

  private static void record(@Nullable Timer timer, Duration took) {
    if (timer != null) {
      timer.record(took);
    }
  }

  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Called by one thread, in order. */
  private final class Recorder implements ShutdownListener {
    @Override
    public void phaseEnded(PhaseReport phase) {
      each(binding -> record(phaseTimer(binding, phase.phase(), phase.complete()), phase.took()));
    }

    @Override
    public void completed(ShutdownReport report) {
      each(binding -> recordEnd(binding, report));
      if (closing) {
        closeAll();
      }
    }
  }
}
