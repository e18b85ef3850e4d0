package io.lastcall.report;

import java.time.Duration;
import java.util.Optional;

/**
 * The requests of a shutdown.
 *
 * @param served answered since the trigger
 * @param late admitted after KEEP_SERVING had ended, whether answered by now or not
 * @param refused answered 503 by the gate
 * @param abandoned still running when DRAIN ended without them
 * @param lastArrival from the trigger to the last new request, if any came
 */
public record RequestTotals(
    long served, long late, long refused, long abandoned, Optional<Duration> lastArrival) {}
