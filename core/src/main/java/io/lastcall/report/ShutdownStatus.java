package io.lastcall.report;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import java.time.Duration;
import java.util.Optional;

/**
 * A snapshot for display and metrics. Immutable.
 *
 * @param trigger what began the shutdown; empty before that
 * @param phase the phase that runs; empty before KEEP_SERVING, which begins shortly after the
 *     trigger
 * @param ready whether readiness passes
 * @param inFlight requests in flight
 * @param started requests since the process started, refused ones included
 * @param finished requests that have ended since then, refused ones included
 * @param requests the requests since the trigger; those in flight count as abandoned once DRAIN has
 *     ended
 * @param budgetLeft the time until the process is halted; before the trigger all of it
 */
public record ShutdownStatus(
    Optional<Trigger> trigger,
    Optional<Phase> phase,
    boolean ready,
    long inFlight,
    long started,
    long finished,
    RequestTotals requests,
    Duration budgetLeft) {}
