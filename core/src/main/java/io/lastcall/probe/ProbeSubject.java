package io.lastcall.probe;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The shutdown, as the probes show it and act on it. Thread-safe, never blocks.
 *
 * @hidden of the library itself
 */
public interface ProbeSubject {

  /** Returns whether start-up is over. */
  boolean isStarted();

  /** Returns why no traffic is wanted, start-up and conditions aside; empty while it is wanted. */
  Optional<String> unready();

  /** Returns whether a shutdown has begun. */
  boolean isEnding();

  /**
   * Begins the shutdown or joins it.
   *
   * @return completes when endpoints have propagated
   */
  CompletionStage<?> preStop();

  /** As {@link #preStop}; completes when DRAIN has ended. */
  default CompletionStage<?> preStopAndDrain() {
    return preStop();
  }

  /**
   * As {@link #preStop}, once no session is open, or no more time is left for that.
   *
   * @return completes when endpoints have propagated, after that
   */
  default CompletionStage<?> preStopAfterSessions() {
    return preStop();
  }

  /** Returns in words what is in progress: requests, connections, work; empty if nothing is. */
  default String busy() {
    return "";
  }

  /** Fails readiness and lets every response say close, or takes that back. */
  void takeOutOfService(boolean on);

  /** A probe has come by the service's own port. */
  default void probed() {}

  /** Readiness may have changed by a condition. */
  default void changed() {}
}
