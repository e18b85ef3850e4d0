package io.lastcall.inflight;

import java.time.Duration;
import java.util.Optional;

/** What a request in flight can say of itself, for the report. Both kinds of permit are one. */
abstract class InFlight {

  /**
   * Describes this request, such as {@code GET /orders}. Called when something is stuck, from
   * another thread, while the request may be running or ending. The default is {@code request}.
   */
  protected String description() {
    return "request";
  }

  /** Returns how long the request has been running, if the adapter knows. */
  protected Optional<Duration> age() {
    return Optional.empty();
  }

  /** Returns the thread that works on the request, if there is one and the adapter knows it. */
  protected Optional<Thread> thread() {
    return Optional.empty();
  }

  /**
   * Called when the drain has timed out with this request running. Answers {@link
   * RequestGate#REFUSED_STATUS} with {@code Connection: close}, if nothing of a response has left
   * and the server lets another thread do that. Called on a thread of the sequence, while the
   * request may be running or ending; a call that blocks is interrupted.
   *
   * @return whether the request ends by that, in a moment. The default does nothing: false
   */
  protected boolean giveUp() {
    return false;
  }

  /**
   * Returns whether the client has closed its connection, so that the response has no reader.
   * Called in DRAIN, on a thread of the sequence, while the request may be running or ending. The
   * default is false: not known.
   */
  protected boolean isClientGone() {
    return false;
  }

  /** Returns whether it is admitted and not released. */
  abstract boolean isHeld();
}
