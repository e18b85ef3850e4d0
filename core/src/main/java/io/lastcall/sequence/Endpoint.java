package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import java.time.Duration;

/** The process as routers see it, by its readiness and by its Pod. Thread-safe. */
public interface Endpoint {

  /** Makes readiness fail. */
  void failReadiness();

  /** Returns how often readiness is asked for; zero if never. */
  Duration readinessPeriod();

  /** Returns whether the Pod is known to be deleted: its endpoint leaves without readiness. */
  boolean isPodDeleted();

  /** A phase has ended. */
  void phaseEnded(Phase phase);
}
