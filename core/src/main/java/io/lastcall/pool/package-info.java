/**
 * Pools of connections to a database or another server. While the process leaves, its successor has
 * opened a pool of its own: a {@link io.lastcall.pool.ConnectionPool} closes what it no longer
 * needs, so that a rollout does not need twice the connections.
 */
@NullMarked
package io.lastcall.pool;

import org.jspecify.annotations.NullMarked;
