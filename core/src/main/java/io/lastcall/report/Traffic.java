package io.lastcall.report;

import java.time.Duration;
import java.util.List;

/**
 * What went on from the trigger to the end, interval by interval: element {@code i} of each list
 * belongs to the time from {@code i * interval} after the trigger. The lists are as long as the
 * shutdown, at most 600 elements. Immutable.
 *
 * @param interval the length of an interval: 100 ms, longer where the grace period is more than a
 *     minute
 * @param arrivals how many requests arrived in it
 * @param refused how many of those were refused
 * @param inFlight how many requests were in flight at its beginning, or a little later
 * @param httpConnections how many HTTP connections the servers held then
 * @param longLived how many long-lived connections were open then
 * @param closings how many long-lived connections ended in it
 */
public record Traffic(
    Duration interval,
    List<Integer> arrivals,
    List<Integer> refused,
    List<Integer> inFlight,
    List<Integer> httpConnections,
    List<Integer> longLived,
    List<Integer> closings) {

  /** Makes the lists unmodifiable. */
  public Traffic {
    arrivals = List.copyOf(arrivals);
    refused = List.copyOf(refused);
    inFlight = List.copyOf(inFlight);
    httpConnections = List.copyOf(httpConnections);
    longLived = List.copyOf(longLived);
    closings = List.copyOf(closings);
  }
}
