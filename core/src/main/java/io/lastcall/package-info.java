/**
 * Graceful shutdown for JVM services on Kubernetes. Start at {@link io.lastcall.GracefulShutdown}.
 *
 * <p>The way of a SIGTERM, from the signal to the exit:
 *
 * <ol>
 *   <li>{@code SignalHandlers} takes it, on a thread of the JVM's.
 *   <li>{@code ShutdownState} moves its one word: the first trigger wins. It arms the {@code
 *       Halter}, and from then on the process ends in time whatever fails.
 *   <li>{@code ShutdownThread}, started at install, wakes. It makes a {@code ShutdownContext} with
 *       the {@code Budget}, and lets {@code Watch} look on from a thread of its own.
 *   <li>Five {@code PhaseRun}s follow in one loop: {@code KeepServing}, {@code FailReadiness},
 *       {@code Drain}, {@code CloseConnections}, {@code StopServers}. {@code StepRunner} runs the
 *       user's steps in them.
 *   <li>{@code Recorder} makes the report; {@code ReportPublisher}, {@code Notifier} and {@code
 *       ShutdownLog} take it to files, listeners and the log.
 *   <li>{@code Readiness} ends the extensions, and {@code Jvm} exits.
 * </ol>
 */
@NullMarked
package io.lastcall;

import org.jspecify.annotations.NullMarked;
