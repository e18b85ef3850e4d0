package io.lastcall.work;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.Permit;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Work of one name, counted as requests are: DRAIN waits until no unit is open. Thread-safe.
 *
 * <pre>{@code
 * try (Work.Unit unit = mail.begin("order 4711")) {
 *   send(order);
 * }
 * }</pre>
 */
public final class Work {
  private final String name;
  private final GateControl control;
  private final Ticker ticker;

  Work(String name, Ticker ticker) {
    this.name = name;
    this.ticker = ticker;
    control = new GateControl(ticker);
  }

  /** Returns its name, as logs and the report have it. */
  public String name() {
    return name;
  }

  /**
   * Begins a unit, which may end on any thread.
   *
   * @param description which unit it is, for logs and the report
   * @throws RejectedExecutionException if DRAIN has ended: nothing waits for it any more
   */
  public Unit begin(String description) {
    Unit unit =
        new Unit(Objects.requireNonNull(description, "description must not be null"), ticker);
    if (!enter(unit)) {
      throw refused(description);
    }
    return unit;
  }

  boolean enter(Permit permit) {
    return control.gate().enter(permit);
  }

  RejectedExecutionException refused(String description) {
    return new RejectedExecutionException(
        "Work '%s': %s cannot begin, since DRAIN has ended".formatted(name, description));
  }

  /** Returns how many units are open; a moment's view, for display. */
  public long inProgress() {
    return control.gate().inFlight();
  }

  /** Returns how many units have ended since the process started; a moment's view, for display. */
  public long finished() {
    return control.finished() - control.refused();
  }

  GateControl control() {
    return control;
  }

  Ticker ticker() {
    return ticker;
  }

  /** One piece of work, until it is closed. Closing it again does nothing. Thread-safe. */
  public static final class Unit extends Permit implements AutoCloseable {
    private final String description;
    private final Ticker ticker;
    private final long began;
    private final Thread thread = Thread.currentThread();

    private Unit(String description, Ticker ticker) {
      this.description = description;
      this.ticker = ticker;
      began = ticker.read();
    }

    /** Ends it. */
    @Override
    public void close() {
      release();
    }

    @Override
    protected String description() {
      return description;
    }

    @Override
    protected Optional<Duration> age() {
      return Optional.of(Duration.ofNanos(ticker.read() - began));
    }

    @Override
    protected Optional<Thread> thread() {
      return Optional.of(thread);
    }
  }
}
