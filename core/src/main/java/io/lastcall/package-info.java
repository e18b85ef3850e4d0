/**
 * Graceful shutdown for JVM services on Kubernetes. Start at {@link io.lastcall.GracefulShutdown}.
 *
 * <p>The sequence itself lives here, package-private: {@code Triggers} (what begins it), {@code
 * Sequence} (the phases in order), {@code Drain} (the third of them), {@code StepRunner} (steps
 * with timeouts), {@code Recorder} (what the report will say).
 */
@NullMarked
package io.lastcall;

import org.jspecify.annotations.NullMarked;
