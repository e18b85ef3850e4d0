/**
 * Monotonic time: a {@link io.lastcall.time.Ticker} to read and wait on, and a {@link
 * io.lastcall.time.Deadline}.
 */
@NullMarked
package io.lastcall.time;

import org.jspecify.annotations.NullMarked;
