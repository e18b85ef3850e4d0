/**
 * Monotonic time: a {@link io.lastcall.time.Ticker} to read and wait on, and a {@link
 * io.lastcall.time.Deadline} that everything shares.
 */
@NullMarked
package io.lastcall.time;

import org.jspecify.annotations.NullMarked;
