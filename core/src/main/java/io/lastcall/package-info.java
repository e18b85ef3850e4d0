/**
 * Graceful shutdown for JVM services on Kubernetes. Start at {@link io.lastcall.GracefulShutdown}.
 *
 * <p>The way of a SIGTERM, from the signal to the exit:
 *
 * <ol>
 *   <li>{@code SignalHandlers} gets it from {@code Jvm}, on a thread of the JVM.
 *   <li>{@code ShutdownState} moves its one word: the first trigger wins. It arms the {@code
 *       Halter}, and from then on the process ends in time whatever fails.
 *   <li>{@code ShutdownThread}, started at install, wakes. It makes a {@code ShutdownContext} with
 *       the {@code Budget}. {@code Watch} observes the shutdown from a thread of its own.
 *   <li>{@code ShutdownContext} runs five {@code PhaseRun}s in one loop: {@code KeepServing},
 *       {@code FailReadiness}, {@code Drain}, {@code CloseConnections}, {@code Exit}. They move the
 *       {@code GateControl}; {@code StepRunner} runs the user's steps.
 *   <li>{@code Recorder} makes the report; {@code ReportPublisher}, {@code Notifier} and {@code
 *       ShutdownLog} take it to files, listeners and the log.
 *   <li>{@code Readiness} ends the extensions, and {@code Jvm} exits.
 * </ol>
 */
@NullMarked
package io.lastcall;

import org.jspecify.annotations.NullMarked;
