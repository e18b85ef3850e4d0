/** A consumer group of a Redis stream. */
@NullMarked
package io.lastcall.examples.work.redis;

import org.jspecify.annotations.NullMarked;
