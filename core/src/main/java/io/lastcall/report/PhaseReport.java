package io.lastcall.report;

import io.lastcall.phase.Phase;
import java.time.Duration;

/**
 * How one phase went.
 *
 * @param phase the phase
 * @param began from the trigger to its start
 * @param planned how long it was allowed to take
 * @param took how long it took
 * @param complete whether everything was done in time
 */
public record PhaseReport(
    Phase phase, Duration began, Duration planned, Duration took, boolean complete) {}
