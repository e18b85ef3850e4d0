/**
 * Readiness, liveness and start-up, and the paths that answer for them. {@link
 * io.lastcall.probe.Probes} is what adapters ask.
 */
@NullMarked
package io.lastcall.probe;

import org.jspecify.annotations.NullMarked;
