package io.lastcall.probe.server;

import io.lastcall.probe.Probes;
import io.lastcall.spi.Extension;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps signs up exactly while readiness passes. Its own daemon thread looks when it is told that
 * readiness may have changed, and every second, since a condition may hang and a file be removed.
 */
final class ReadinessWatch implements Extension.Running {
  private static final Logger log = LoggerFactory.getLogger(ReadinessWatch.class);

  /** The smallest {@code periodSeconds} of a probe, Kubernetes API, Probe. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final List<ReadinessSign> signs;
  private final Probes probes;
  private final Ticker ticker;
  private final Thread thread = Threads.daemon("readiness", this::watch);

  /** Those whose trouble has been logged. */
  private final Set<ReadinessSign> failing = new HashSet<>();

  private volatile boolean changed;

  private volatile boolean closed;

  private ReadinessWatch(List<ReadinessSign> signs, Probes probes, Ticker ticker) {
    this.signs = signs;
    this.probes = probes;
    this.ticker = ticker;
  }

  /** Starts to watch. */
  static ReadinessWatch start(List<ReadinessSign> signs, Probes probes, Ticker ticker) {
    ReadinessWatch watch = new ReadinessWatch(signs, probes, ticker);
    watch.thread.start();
    return watch;
  }

  @Override
  public void readinessChanged() {
    changed = true;
    LockSupport.unpark(thread);
  }

  /** Takes milliseconds, if the threads get the CPU and the file system answers. */
  @Override
  public void close(Deadline deadline) {
    closed = true;
    LockSupport.unpark(thread);
    Threads.join(thread, deadline);
  }

  private void watch() {
    try {
      while (!closed) {
        Thread.interrupted(); // a thread that stays interrupted cannot park
        changed = false;
        Deadline next = Deadline.after(PERIOD, ticker);
        set(probes.isReady());
        next.await(this, () -> changed || closed);
      }
    } finally {
      // Also where it fails: a sign that stays when nobody watches would be a lie.
      set(false);
    }
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
          log.warn("Could not {} {}", ready ? "show" : "hide", sign, t);
        }
      }
    }
  }
}
