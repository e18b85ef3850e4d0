/** A member of a Raft group that moves its leadership before it stops. */
@NullMarked
package io.lastcall.examples.cluster.raft;

import org.jspecify.annotations.NullMarked;
