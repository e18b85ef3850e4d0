package io.lastcall.inflight;

import java.time.Duration;
import java.util.Optional;

/**
 * A request that was running when it was asked for. Immutable.
 *
 * @param description what it is, such as {@code GET /orders}
 * @param age how long it had been running, if the adapter knows
 * @param thread the thread that worked on it, if there was one and it is known
 */
public record InFlightRequest(
    String description, Optional<Duration> age, Optional<Thread> thread) {}
