package io.lastcall.report;

import java.time.Duration;
import java.util.Optional;

/**
 * The requests of a shutdown.
 *
 * @param served answered since the trigger
 * @param late admitted in DRAIN or after, when no router should send here any more; whether
 *     answered by now or not
 * @param refused answered 503 by the gate
 * @param abandoned still running when DRAIN ended without them
 * @param lastArrival from the trigger to the last new request, if any came
 * @param lastConnection from the trigger to the last new connection that has brought a request, if
 *     one came and the server's adapter knows; probes aside
 */
public record RequestTotals(
    long served,
    long late,
    long refused,
    long abandoned,
    Optional<Duration> lastArrival,
    Optional<Duration> lastConnection) {

  /** Those before a shutdown. */
  public static final RequestTotals NONE =
      new RequestTotals(0, 0, 0, 0, Optional.empty(), Optional.empty());

  /** Returns the same with another number of requests that DRAIN left behind. */
  public RequestTotals abandoned(long requests) {
    return new RequestTotals(served, late, refused, requests, lastArrival, lastConnection);
  }
}
