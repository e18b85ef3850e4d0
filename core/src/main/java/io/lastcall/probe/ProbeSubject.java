package io.lastcall.probe;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What the probes tell about and act on: the shutdown. Thread-safe, never blocks. */
public interface ProbeSubject {

  /** Returns whether start-up is over. */
  boolean isStarted();

  /** Returns why no traffic is wanted, start-up and conditions aside; empty while it is wanted. */
  Optional<String> unready();

  /** Returns whether a shutdown has begun. */
  boolean isEnding();

  /** Begins the shutdown or joins it; completes when endpoints have propagated. */
  CompletionStage<?> preStop();

  /** Enters or leaves the lame duck state: readiness failed, every response says close. */
  void lameDuck(boolean on);

  /** A probe has come by the service's own port. Called for each; must not block. */
  default void probed() {}

  /** What conditions say of readiness may have changed. Called by any thread; must not block. */
  default void conditionsChanged() {}
}
