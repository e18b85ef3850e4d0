package io.lastcall.probe.sign;

import io.lastcall.probe.Probes;
import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps signs up exactly while readiness passes. Its own daemon thread looks when the shutdown says
 * that something changed, and every second while there may be checks that nobody else asks.
 */
public final class ReadinessWatch {
  private static final Logger log = LoggerFactory.getLogger(ReadinessWatch.class);

  /** The smallest {@code periodSeconds} of a probe, Kubernetes API, Probe. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private static final long PERIOD_NANOS = PERIOD.toNanos();

  private final List<ReadinessSign> signs;
  private final Probes probes;
  private final Ticker ticker;
  private final Thread thread = Threads.daemon("readiness", this::watch);

  /** Those whose trouble has been logged. */
  private final Set<ReadinessSign> failing = new HashSet<>();

  private volatile boolean closed;

  private ReadinessWatch(List<ReadinessSign> signs, Probes probes, Ticker ticker) {
    this.signs = signs;
    this.probes = probes;
    this.ticker = ticker;
  }

  /** Starts to watch. */
  public static ReadinessWatch start(List<ReadinessSign> signs, Probes probes, Ticker ticker) {
    ReadinessWatch watch = new ReadinessWatch(signs, probes, ticker);
    watch.thread.start();
    return watch;
  }

  /** Looks now. Never blocks. */
  public void look() {
    LockSupport.unpark(thread);
  }

  /**
   * Takes the signs down and ends the threads; takes milliseconds, if they get the CPU and the file
   * system answers.
   *
   * @param deadline when they are no longer waited for
   */
  public void close(Deadline deadline) {
    closed = true;
    look();
    Threads.join(thread, deadline);
  }

  private void watch() {
    while (!closed) {
      try {
        watchUntilClosed();
      } catch (Throwable t) {
        // Such as a full heap: a sign that stays up when nobody watches would be a lie.
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    }
    set(false);
  }

  private void watchUntilClosed() {
    Deadline next = Deadline.after(Duration.ZERO, ticker);
    Optional<CompletableFuture<Boolean>> asked = Optional.empty();
    while (!closed) {
      Thread.interrupted(); // a thread that stays interrupted cannot park
      if (!probes.isReady()) {
        asked = Optional.empty();
        next = Deadline.after(Duration.ZERO, ticker);
        set(false);
        if (!failing.isEmpty()) {
          Deadline.after(PERIOD, ticker).park(this);
        } else if (!closed && !probes.isReady()) {
          // Asked again: what hides a sign may park, and use up what look() has left.
          LockSupport.park(this);
        }
      } else if (asked.isPresent() && asked.get().isDone()) {
        set(asked.get().getNow(false));
        asked = Optional.empty();
        next = Deadline.after(PERIOD, ticker);
      } else if (asked.isPresent()) {
        LockSupport.park(this);
      } else if (next.hasPassed()) {
        asked = Optional.of(ask());
      } else {
        next.park(this);
      }
    }
  }

  private CompletableFuture<Boolean> ask() {
    CompletionStage<Boolean> ready = probes.readiness();
    // Failed too, such as with a full heap: nobody else would wake us.
    ready.whenComplete((up, failure) -> look());
    return ready.toCompletableFuture();
  }

  private void set(boolean ready) {
    for (ReadinessSign sign : signs) {
      try {
        if (ready) {
          sign.show();
        } else {
          sign.hide();
        }
        failing.remove(sign);
      } catch (Throwable t) {
        if (failing.add(sign)) {
          SafeLog.warn(log, "Could not " + (ready ? "show " : "hide ") + sign, t);
        }
      }
    }
  }
}
