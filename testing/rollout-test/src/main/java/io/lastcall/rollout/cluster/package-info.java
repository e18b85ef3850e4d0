/**
 * The cluster, modelled around real processes: a {@code Rollout} starts {@code Pod}s, lets {@code
 * ClusterNode}s route to them, sends SIGTERM, and SIGKILL when the grace period is over. What
 * happened is a {@code Recording}.
 */
@NullMarked
package io.lastcall.rollout.cluster;

import org.jspecify.annotations.NullMarked;
