/** A consumer of NATS JetStream. */
@NullMarked
package io.lastcall.examples.work.nats;

import org.jspecify.annotations.NullMarked;
