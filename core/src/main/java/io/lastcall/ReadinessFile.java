package io.lastcall;

import io.lastcall.probe.Probes;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that exists exactly while readiness passes. Its own daemon thread looks when the shutdown
 * says that something changed, and every second while there may be checks that nobody else asks.
 */
final class ReadinessFile {
  private static final Logger log = LoggerFactory.getLogger(ReadinessFile.class);

  /** The smallest {@code periodSeconds} of a probe, Kubernetes API, Probe. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private static final Duration CLOSE_LIMIT = Duration.ofMillis(100);

  private final Path path;
  private final Probes probes;
  private final Ticker ticker;
  private final Thread thread = Threads.daemon("readiness-file", this::watch);

  private boolean exists;
  private volatile boolean closed;

  private ReadinessFile(Path path, Probes probes, Ticker ticker) {
    this.path = path;
    this.probes = probes;
    this.ticker = ticker;
  }

  /**
   * Removes what a crash has left, and watches.
   *
   * @throws IllegalArgumentException if there can be no such file
   */
  static ReadinessFile start(Path path, Probes probes, Ticker ticker) {
    try {
      Files.deleteIfExists(path);
      Files.createFile(path);
      Files.delete(path);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "readiness-file=%s: %s; allowed: a file that can be made and removed".formatted(path, e),
          e);
    }
    ReadinessFile file = new ReadinessFile(path, probes, ticker);
    file.thread.start();
    return file;
  }

  /** Looks now. Never blocks. */
  void look() {
    LockSupport.unpark(thread);
  }

  /** Removes the file and ends the thread. */
  void close() {
    closed = true;
    look();
    try {
      thread.join(CLOSE_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch() {
    Deadline next = Deadline.after(Duration.ZERO, ticker);
    Optional<CompletableFuture<Boolean>> asked = Optional.empty();
    while (!closed) {
      Thread.interrupted(); // a thread that stays interrupted cannot park
      if (!probes.isReady()) {
        asked = Optional.empty();
        next = Deadline.after(Duration.ZERO, ticker);
        set(false);
        LockSupport.park(this);
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
    set(false);
  }

  private CompletableFuture<Boolean> ask() {
    CompletionStage<Boolean> ready = probes.readiness();
    ready.thenRun(this::look);
    return ready.toCompletableFuture();
  }

  private void set(boolean ready) {
    if (ready == exists) {
      return;
    }
    try {
      if (ready) {
        Files.createFile(path);
      } else {
        Files.deleteIfExists(path);
      }
      exists = ready;
    } catch (IOException | RuntimeException e) {
      log.warn("Could not {} {}", ready ? "make" : "remove", path, e);
    }
  }
}
