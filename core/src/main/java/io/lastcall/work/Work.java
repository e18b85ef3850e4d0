package io.lastcall.work;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.Permit;
import io.lastcall.report.WorkReport;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /** Units that have ended without having run, by {@link Unit#skip} or {@link Unit#drop}. */
  private final AtomicLong unrun = new AtomicLong();

  /**
   * Units that were to run and never will. The gate counts those that it refuses, once closed;
   * those that are no loss are subtracted here.
   */
  private final AtomicLong dropped = new AtomicLong();

  private volatile long finishedBefore;
  private volatile long droppedBefore;
  private volatile long finishedInTime;
  private volatile long abandoned;

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
   * @throws WorkRefusedException if DRAIN has ended: nothing waits for it any more. The shutdown is
   *     then incomplete, and the report counts the unit as refused
   */
  public Unit begin(String description) {
    Objects.requireNonNull(description, "description must not be null");
    return admit(new Unit(description, this, Thread.currentThread()));
  }

  <T extends Unit> T admit(T unit) {
    if (!control.gate().enter(unit)) {
      throw new WorkRefusedException(
          this,
          "Work '%s': %s cannot begin, since DRAIN has ended".formatted(name, unit.description()));
    }
    return unit;
  }

  /** Returns how many units are open; a moment's view, for display. */
  public long inProgress() {
    return control.gate().inFlight();
  }

  /** Returns how many units have ended since the process started; a moment's view, for display. */
  public long finished() {
    return Math.max(0, control.finished() - control.refused() - unrun.get());
  }

  GateControl control() {
    return control;
  }

  Stream<Unit> open() {
    return control.permits().stream().filter(Unit.class::isInstance).map(Unit.class::cast);
  }

  /** Refuses a unit that the gate would let in. */
  WorkRefusedException refuse(String message) {
    dropped.incrementAndGet();
    return new WorkRefusedException(this, message);
  }

  /** A unit that was refused is no loss. */
  void excuse() {
    dropped.decrementAndGet();
  }

  /** The shutdown begins: the report counts from here. */
  void startReport() {
    finishedBefore = finished();
    droppedBefore = dropped.get();
  }

  /**
   * Units that are open now are abandoned.
   *
   * @param idle whether all work was idle after it had been closed: units that are still counted
   *     are refusals in progress then, and do not run
   */
  void end(boolean idle) {
    abandoned = idle ? 0 : inProgress();
    finishedInTime = finished() - finishedBefore;
  }

  WorkReport report() {
    long refused = control.refused() + dropped.get() - droppedBefore;
    return new WorkReport(name, finishedInTime, abandoned, refused);
  }

  /** One piece of work, until it is closed. Ending it again does nothing. Thread-safe. */
  public static class Unit extends Permit implements AutoCloseable {
    private final String description;
    private final Work work;
    private final long began;

    private volatile @Nullable Thread thread;

    /**
     * @param thread null for a unit that waits
     */
    Unit(String description, Work work, @Nullable Thread thread) {
      this.description = description;
      this.work = work;
      this.thread = thread;
      began = work.ticker.read();
    }

    final void runsOn(Thread runner) {
      thread = runner;
    }

    /** Ends it. */
    @Override
    public void close() {
      release();
    }

    /**
     * Ends it as one that had nothing to do: it counts neither as finished nor as refused.
     *
     * @return false if it has ended already
     */
    public final boolean skip() {
      return endUnrun();
    }

    /**
     * Ends it as one that never ran and never will, such as a task that a full queue drops. In a
     * shutdown the report counts it as refused, and the shutdown is incomplete.
     */
    public final void drop() {
      if (endUnrun()) {
        work.dropped.incrementAndGet();
      }
    }

    /** Counted before the release, which may end DRAIN, and with it the count. */
    private boolean endUnrun() {
      work.unrun.incrementAndGet();
      boolean ended = release();
      if (!ended) {
        work.unrun.decrementAndGet();
      }
      return ended;
    }

    @Override
    protected String description() {
      return description;
    }

    @Override
    protected Optional<Duration> age() {
      return Optional.of(Duration.ofNanos(work.ticker.read() - began));
    }

    /** Returns the thread that runs it, or has; empty for a task that waits for one. */
    @Override
    public final Optional<Thread> thread() {
      return Optional.ofNullable(thread);
    }
  }
}
