package io.lastcall.forked;

import io.lastcall.probe.server.RawHttp;
import io.lastcall.process.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A kubelet's probe worker: asks every period, and changes its mind after so many failures or
 * successes in a row (Kubernetes API, Probe: periodSeconds, timeoutSeconds, failureThreshold,
 * successThreshold). Readiness counts as failed until it has passed.
 */
final class Kubelet implements AutoCloseable {
  /** The default of timeoutSeconds. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** One way to ask; throws or returns false if the probe fails. */
  @FunctionalInterface
  interface Mechanism {
    boolean passes() throws IOException, InterruptedException;
  }

  /** Something the kubelet would have told the API server. */
  record Verdict(boolean passing, long atNanos) {}

  private final ScheduledThreadPoolExecutor worker =
      new ScheduledThreadPoolExecutor(1, body -> Threads.daemon("test-kubelet", body));
  private final Mechanism mechanism;
  private final int failureThreshold;
  private final List<Verdict> verdicts = new CopyOnWriteArrayList<>();
  private boolean passing;
  private int contrary;

  Kubelet(Mechanism mechanism, Duration period, int failureThreshold) {
    this.mechanism = mechanism;
    this.failureThreshold = failureThreshold;
    var unused =
        worker.scheduleAtFixedRate(this::probe, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** HTTP 200-399 passes. */
  static Mechanism httpGet(int port, String path) {
    return () -> {
      try (RawHttp client = new RawHttp(port, TIMEOUT)) {
        int status = client.status("GET " + path);
        return status >= 200 && status < 400;
      }
    };
  }

  /** Exit status 0 passes. */
  static Mechanism exec(String... command) {
    return () -> {
      Process process = new ProcessBuilder(command).start();
      return process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
    };
  }

  static Mechanism exists(Path file) {
    return exec("test", "-e", file.toString());
  }

  /** A port that opens passes. */
  static Mechanism tcpSocket(int port) {
    return () -> {
      new RawHttp(port, TIMEOUT).close();
      return true;
    };
  }

  private void probe() {
    boolean passed;
    try {
      passed = mechanism.passes();
    } catch (IOException e) {
      passed = false;
    } catch (InterruptedException e) {
      return; // closed
    }
    contrary = passed == passing ? 0 : contrary + 1;
    if (contrary >= (passing ? failureThreshold : 1)) {
      passing = passed;
      contrary = 0;
      verdicts.add(new Verdict(passing, System.nanoTime()));
    }
  }

  /** What it has told, in order; the first one is that it passes. */
  List<Verdict> verdicts() {
    return List.copyOf(verdicts);
  }

  boolean saw(boolean... passes) {
    if (verdicts.size() != passes.length) {
      return false;
    }
    for (int i = 0; i < passes.length; i++) {
      if (verdicts.get(i).passing() != passes[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
