/** A service that leaves its registry first: ZooKeeper, by Curator's service discovery. */
@NullMarked
package io.lastcall.examples.cluster.discovery;

import org.jspecify.annotations.NullMarked;
