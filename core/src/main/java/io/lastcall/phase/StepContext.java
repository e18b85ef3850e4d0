package io.lastcall.phase;

import io.lastcall.time.Deadline;

/**
 * The situation of a running step. Immutable.
 *
 * @param phase the phase the step runs in
 * @param trigger what began the shutdown
 * @param deadline when the step is interrupted and the sequence goes on without it
 */
public record StepContext(Phase phase, Trigger trigger, Deadline deadline) {}
