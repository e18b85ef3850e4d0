package io.lastcall.probe;

import java.util.Arrays;
import java.util.Locale;
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

  /** What a preStop hook may wait for. */
  enum Wait {
    /** Endpoints have propagated. */
    PROPAGATED,
    /** DRAIN has ended. */
    DRAINED,
    /** No session is open, or no more time is left for that; then endpoints have propagated. */
    SESSIONS;

    /** Returns the one of a name in lower case. */
    static Optional<Wait> of(String name) {
      return Arrays.stream(values())
          .filter(wait -> wait.name().toLowerCase(Locale.ROOT).equals(name))
          .findAny();
    }
  }

  /**
   * Begins the shutdown or joins it; for sessions, once none is open.
   *
   * @return completes when what is waited for has come
   */
  CompletionStage<?> preStop(Wait wait);

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
