/**
 * Monotonic time: a {@link io.lastcall.time.Ticker} to read and wait on, a {@link
 * io.lastcall.time.Deadline} that everything shares, and the durations people write.
 */
@NullMarked
package io.lastcall.time;

import org.jspecify.annotations.NullMarked;
