package io.lastcall.spi;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;

/** What an extension that knows more than the process may do to a shutdown. Thread-safe. */
public interface ShutdownControl {

  /**
   * Acts as the stop signal does; does nothing once a shutdown has begun.
   *
   * @param reason in words, for the log and the report
   */
  void stop(String reason);

  /** Returns when SIGKILL comes by what is known; empty while the process does not end. */
  Optional<Deadline> killed();

  /**
   * Moves SIGKILL, as the library expects it, to earlier. The phases shrink, the one that runs too.
   *
   * @param at when SIGKILL comes
   * @param waited how much of the propagation delay had passed before the trigger
   * @param reason in words, for the log
   * @return false if that is not earlier: then nothing changes
   */
  boolean shorten(Deadline at, Duration waited, String reason);

  /**
   * The container ends and its Pod stays: routers leave only when readiness fails, so that {@link
   * io.lastcall.probe.ReadinessPolicy#AFTER_PROPAGATION} does that now.
   */
  void podStays();

  /**
   * The Pod is being deleted: routers leave by that, and not by readiness. FAIL_READINESS does not
   * hold for new connections that still come, of a client that goes straight to the Pod, say; a
   * {@code readiness-hold} that is set counts as ever.
   */
  void podIsDeleted();
}
