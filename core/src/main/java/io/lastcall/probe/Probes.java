package io.lastcall.probe;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The three probes of a kubelet, by path: {@code /livez}, {@code /readyz}, {@code /startupz}.
 * Adapters ask {@link #answer} before anything else: probes are not traffic, never enter the gate,
 * and are answered to the very end. Thread-safe, never blocks.
 */
public final class Probes {
  private final BooleanSupplier started;
  private final BooleanSupplier ready;

  /**
   * @param started whether start-up is over
   * @param ready whether traffic is wanted, start-up aside
   */
  public Probes(BooleanSupplier started, BooleanSupplier ready) {
    this.started = started;
    this.ready = ready;
  }

  /** Returns whether the service wants traffic: started, and readiness has not been failed. */
  public boolean isReady() {
    return started.getAsBoolean() && ready.getAsBoolean();
  }

  /** Returns whether start-up is over. */
  public boolean isStarted() {
    return started.getAsBoolean();
  }

  /**
   * Answers a probe, if {@code path} is one. A doubled leading slash is the same path: kubelets
   * have sent it.
   *
   * @param path the request's path without its query
   * @return empty if this is ordinary traffic
   */
  public Optional<ProbeAnswer> answer(String path) {
    return switch (path.startsWith("//") ? path.substring(1) : path) {
      // Failing liveness while terminating buys nothing: the pod is ending already.
      case "/livez" -> Optional.of(answer(true));
      case "/readyz" -> Optional.of(answer(isReady()));
      case "/startupz" -> Optional.of(answer(isStarted()));
      default -> Optional.empty();
    };
  }

  private static ProbeAnswer answer(boolean passed) {
    return passed ? new ProbeAnswer(200, "ok\n") : new ProbeAnswer(503, "failed\n");
  }
}
