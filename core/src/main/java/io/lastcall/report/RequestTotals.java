package io.lastcall.report;

import java.time.Duration;
import java.util.Optional;

/**
 * The requests of a shutdown.
 *
 * @param served answered since the trigger
 * @param late admitted in DRAIN or later, when no router should send here any more; answered or not
 * @param refused answered 503 by the gate
 * @param abandoned still running when DRAIN timed out
 * @param abandonedByClients whose clients had closed their connections: DRAIN did not wait for them
 * @param lastArrival from the trigger to the last new request; empty if none came
 * @param lastConnection from the trigger to the last new connection that brought a request, probes
 *     excluded; empty if none came, or if the server's adapter does not know
 */
public record RequestTotals(
    long served,
    long late,
    long refused,
    long abandoned,
    long abandonedByClients,
    Optional<Duration> lastArrival,
    Optional<Duration> lastConnection) {

  /** The totals before a shutdown. */
  public static final RequestTotals NONE =
      new RequestTotals(0, 0, 0, 0, 0, Optional.empty(), Optional.empty());

  /**
   * Returns a copy with another number of abandoned requests.
   *
   * @hidden of the library itself
   */
  public RequestTotals abandoned(long requests) {
    return new RequestTotals(
        served, late, refused, requests, abandonedByClients, lastArrival, lastConnection);
  }
}
