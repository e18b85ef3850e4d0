/** A consumer of Kafka's. */
@NullMarked
package io.lastcall.examples.work.kafka;

import org.jspecify.annotations.NullMarked;
