/** A leader by a latch in ZooKeeper, which it gives up when its work is done. */
@NullMarked
package io.lastcall.examples.cluster.latch;

import org.jspecify.annotations.NullMarked;
