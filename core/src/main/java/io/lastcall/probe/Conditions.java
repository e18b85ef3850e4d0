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
   * @param changed called when what conditions say of their probes has changed; must not block
   */
  Conditions(Ticker ticker, Runnable changed) {
    this.ticker = ticker;
    this.changed = changed;
  }

  Condition add(ProbeKind kind, String name, Supplier<Optional<String>> reason) {
    Objects.requireNonNull(kind, "A condition's probe must not be null");
    Objects.requireNonNull(name, "A condition's name must not be null");
    Objects.requireNonNull(reason, () -> "Condition '" + name + "' must not be null");
    if (name.isBlank() || name.length() > 100 || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "A condition's name '%s' is not printable text of 1 to 100 characters".formatted(name));
    }
    Condition condition = new Condition(this, kind, name, reason, ticker);
    add(condition);
    LockSupport.unpark(thread);
    changed.run();
    return condition;
  }

  private synchronized void add(Condition condition) {
    if (all.stream().anyMatch(condition::hasNameOf)) {
      throw new IllegalArgumentException(
          "/%s has a condition '%s' already; allowed: another name"
              .formatted(condition.kind(), condition.name()));
    }
    all.add(condition);
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
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
        .map(condition -> line(condition, kind))
        .toList();
  }

  private static ProbeReport.Line line(Condition condition, ProbeKind kind) {
    return new ProbeReport.Line(
        condition.name(), condition.kind() == kind ? condition.failure() : condition.lateness());
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
      all.forEach(this::ask);
      // An application that has been stopped must not be held by it.
      Thread.currentThread().setContextClassLoader(own);
      next.await(this, () -> closed || all.stream().anyMatch(Condition::isNew));
    }
  }

  private void ask(Condition condition) {
    // A condition may leave its thread interrupted, which could not wait then.
    Thread.interrupted();
    asked = condition;
    if (!closed && condition.ask()) {
      changed.run();
    }
    asked = null;
  }
}
