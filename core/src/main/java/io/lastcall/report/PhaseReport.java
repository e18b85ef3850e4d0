package io.lastcall.report;

import io.lastcall.phase.Phase;
import java.time.Duration;

/**
 * One phase as it went.
 *
 * @param phase which
 * @param began from the trigger to its start
 * @param planned how long it was allowed to take
 * @param took how long it took
 * @param complete whether all of it was done in time
 */
public record PhaseReport(
    Phase phase, Duration began, Duration planned, Duration took, boolean complete) {}
