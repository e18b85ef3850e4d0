package io.lastcall.probe;

import io.lastcall.process.ShutdownLog;
import io.lastcall.text.Words;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A condition of the application's own, as {@link Probes#condition} has registered it. Probes read
 * its last answer. Thread-safe.
 */
public final class Condition implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Probes.class);

  /** An older answer counts for liveness alone. */
  private static final Duration LATE = Duration.ofSeconds(5);

  /**
   * @param failure why the condition does not pass; empty if it does
   * @param at when it was given
   */
  private record Answer(Optional<String> failure, Deadline at) {}

  private final Conditions owner;
  private final ProbeKind kind;
  private final String name;
  private final Supplier<Optional<String>> reason;

  /** In a container each application has its own. */
  private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

  private volatile Answer answer;
  private volatile boolean due = true;

  /** Whether it passed when that was logged last. Only the asking thread uses it. */
  private Optional<Boolean> logged = Optional.empty();

  Condition(Conditions owner, ProbeKind kind, String name, Supplier<Optional<String>> reason) {
    this.owner = owner;
    this.kind = kind;
    this.name = name;
    this.reason = reason;
    boolean passes = kind == ProbeKind.LIVENESS;
    answer = new Answer(passes ? Optional.empty() : Optional.of("not asked yet"), owner.now());
  }

  /**
   * Has the condition asked at once, instead of within a second: for an application that knows that
   * its answer has changed. Does not wait for the answer.
   */
  public void recheck() {
    due = true;
    owner.wake();
  }

  /**
   * Takes the condition back: the probe no longer depends on it. The supplier may still be running
   * when this returns. Idempotent.
   */
  @Override
  public void close() {
    owner.remove(this);
  }

  ProbeKind kind() {
    return kind;
  }

  String name() {
    return name;
  }

  /** Returns whether it is to be asked at once. */
  boolean isDue() {
    return due;
  }

  /** Returns why the probe of its kind fails; empty if it passes. */
  Optional<String> failure() {
    // A condition that hangs does not fail liveness: it may recover without a restart.
    return kind == ProbeKind.LIVENESS ? answer.failure() : lateness().or(() -> answer.failure());
  }

  /** Returns what keeps it from answering; empty while its last answer is recent. */
  Optional<String> lateness() {
    Duration age = answer.at().elapsed();
    return age.compareTo(LATE) < 0 ? Optional.empty() : Optional.of(owner.lateness(this, age));
  }

  /**
   * Asks, on the calling thread.
   *
   * @return whether it passes now and did not before, or the other way round
   */
  boolean ask() {
    due = false;
    Thread.currentThread().setContextClassLoader(loader);
    Optional<String> failure;
    @Nullable Throwable thrown = null;
    try {
      failure = reason.get();
      if (failure == null) {
        failure = Optional.of("it returned null");
      }
    } catch (Throwable t) {
      thrown = t;
      failure = Optional.of(Words.of(t));
    }
    boolean changed = answer.failure().isPresent() != failure.isPresent();
    answer = new Answer(failure, owner.now());
    logChange(failure, thrown);
    return changed;
  }

  private void logChange(Optional<String> failure, @Nullable Throwable thrown) {
    Optional<Boolean> passes = Optional.of(failure.isEmpty());
    if (passes.equals(logged)) {
      return;
    }
    boolean neverPassed = logged.isEmpty() && kind != ProbeKind.LIVENESS;
    logged = passes;
    ShutdownLog.write(
        () -> {
          if (failure.isEmpty()) {
            log.info("Condition '{}' of /{} passes", name, kind);
          } else if (neverPassed) {
            log.info(
                "Condition '{}' of /{} does not pass yet: {}", name, kind, failure.get(), thrown);
          } else {
            log.warn("Condition '{}' of /{} fails: {}", name, kind, failure.get(), thrown);
          }
        });
  }
}
