package io.lastcall.inflight;

import java.time.Duration;
import java.util.Optional;

/**
 * A request that is still running, as the report shows it. A snapshot.
 *
 * @param description what it is, such as {@code GET /orders}
 * @param age how long it has been running, if known
 * @param thread the thread that works on it, if there is one and it is known
 */
public record InFlightRequest(
    String description, Optional<Duration> age, Optional<Thread> thread) {}
