package io.lastcall.probe;

import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of all probes. One daemon thread asks all of them once a second, one after the
 * other, so one that hangs keeps the others from being asked. It starts with the first condition.
 */
final class Conditions {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final List<Condition> all = new CopyOnWriteArrayList<>();
  private final Ticker ticker;
  private final Runnable changed;
  private final Thread thread = Threads.daemon("conditions", this::askUntilClosed);
  private volatile @Nullable Condition asked;
  private volatile boolean closed;

  /**
   * @param changed called when a probe may pass or fail by its conditions now; must not block
   */
  Conditions(Ticker ticker, Runnable changed) {
    this.ticker = ticker;
    this.changed = changed;
  }

  Deadline now() {
    return Deadline.after(Duration.ZERO, ticker);
  }

  Condition add(ProbeKind kind, String name, Supplier<Optional<String>> reason) {
    Objects.requireNonNull(kind, "A condition's probe must not be null");
    Objects.requireNonNull(name, "A condition's name must not be null");
    Objects.requireNonNull(reason, () -> "Condition '" + name + "' must not be null");
    if (name.isBlank() || name.length() > 100 || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "A condition's name '%s' is not printable text of 1 to 100 characters".formatted(name));
    }
    Condition condition = new Condition(this, kind, name, reason);
    synchronized (this) {
      if (all.stream().anyMatch(other -> other.kind() == kind && other.name().equals(name))) {
        throw new IllegalArgumentException(
            "/%s has a condition '%s' already; allowed: another name".formatted(kind, name));
      }
      all.add(condition);
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      }
    }
    wake();
    changed.run();
    return condition;
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  void remove(Condition condition) {
    all.remove(condition);
    changed.run();
  }

  /**
   * Returns the lines that the conditions add to a probe's report. Readiness also fails by a
   * condition of another probe that does not answer.
   */
  List<ProbeReport.Line> lines(ProbeKind kind) {
    return all.stream()
        .filter(
            condition ->
                condition.kind() == kind
                    || (kind == ProbeKind.READINESS && condition.lateness().isPresent()))
        .map(
            condition ->
                new ProbeReport.Line(
                    condition.name(),
                    condition.kind() == kind ? condition.failure() : condition.lateness()))
        .toList();
  }

  String lateness(Condition condition, Duration since) {
    Condition hanging = asked;
    return hanging == null || hanging == condition
        ? "no answer for " + since.toSeconds() + " s"
        : "not asked for %d s: '%s' does not answer".formatted(since.toSeconds(), hanging.name());
  }

  /** Interrupts a condition that is being asked, and ends the thread. */
  void close() {
    closed = true;
    thread.interrupt();
  }

  private void askUntilClosed() {
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    while (!closed) {
      Deadline next = Deadline.after(PERIOD, ticker);
      for (Condition condition : all) {
        Thread.interrupted(); // the last condition's: an interrupted thread cannot wait
        asked = condition;
        if (!closed && condition.ask()) {
          changed.run();
        }
        asked = null;
      }
      // The thread must not keep the class loader of an application that has been stopped.
      Thread.currentThread().setContextClassLoader(own);
      next.await(this, () -> closed || all.stream().anyMatch(Condition::isDue));
    }
  }
}
