/** Kafka Streams that stops between two records, and leaves its group. */
@NullMarked
package io.lastcall.examples.work.streams;

import org.jspecify.annotations.NullMarked;
