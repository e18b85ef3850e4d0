package io.lastcall.report;

import java.time.Duration;
import java.util.Optional;

/**
 * A request that was still running when DRAIN timed out.
 *
 * @param description what it is, such as {@code GET /orders}
 * @param age how long it had been running, if the adapter knows
 * @param thread the name of the thread that worked on it, if there was one and it is known
 */
public record UnfinishedRequest(
    String description, Optional<Duration> age, Optional<String> thread) {}
