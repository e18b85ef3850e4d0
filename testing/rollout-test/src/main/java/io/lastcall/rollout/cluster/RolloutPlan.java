package io.lastcall.rollout.cluster;

import java.time.Duration;

/**
 * What is rolled, and how the cluster around it behaves.
 *
 * @param seed decides when each node learns of a removal
 * @param grace from a pod's removal to SIGKILL
 * @param maxLateness the last node learns by then, after the removal
 * @param neverLeave how many of the nodes never learn
 * @param preStop from the removal to SIGTERM, as with a hook that sleeps
 * @param firstProcess a pod's process is PID 1 of a container: the kernel drops a SIGTERM that it
 *     has no handler for
 * @param warmUp load before the first removal
 * @param step from a removal to the next
 * @param tail load after the last pod and the last node have gone
 */
public record RolloutPlan(
    int replicas,
    int nodes,
    long seed,
    Duration grace,
    Duration maxLateness,
    int neverLeave,
    Duration preStop,
    boolean firstProcess,
    Duration warmUp,
    Duration step,
    Duration tail) {}
