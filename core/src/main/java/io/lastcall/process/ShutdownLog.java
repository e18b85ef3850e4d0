package io.lastcall.process;

import io.lastcall.time.Deadline;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes log lines on a thread of its own, in order. A log may throw, or block for ever where
 * standard output is a full pipe: neither may stop the thread that logs, which may be the one that
 * runs the shutdown. Thread-safe.
 */
public final class ShutdownLog {
  /** The logger of every line about a shutdown, so that one level and one filter fit them all. */
  public static final String NAME = "io.lastcall.GracefulShutdown";

  private static final EventThread thread = new EventThread("log");

  /** Each line has the thread end again: nothing is installed. */
  private static volatile boolean stopped;

  private ShutdownLog() {}

  /** Logs at INFO; arguments as SLF4J takes them. Never blocks, never throws. */
  public static void info(Logger log, String format, @Nullable Object... arguments) {
    write(() -> log.info(format, arguments));
  }

  /** Logs at WARN; a last argument that is a Throwable is logged with its stack. */
  public static void warn(Logger log, String format, @Nullable Object... arguments) {
    write(() -> log.warn(format, arguments));
  }

  /** Logs at DEBUG; a last argument that is a Throwable is logged with its stack. */
  public static void debug(Logger log, String format, @Nullable Object... arguments) {
    write(() -> log.debug(format, arguments));
  }

  /** Writes a line with the caller's diagnostic context (MDC). Never blocks, never throws. */
  public static void write(Runnable line) {
    LogContext context = LogContext.current();
    thread.add(() -> write(context, line));
    thread.start();
    if (stopped) {
      thread.stop();
    }
  }

  private static void write(LogContext context, Runnable line) {
    context.add();
    try {
      line.run();
    } catch (Throwable t) {
      // The log is broken: this cannot be said anywhere.
    } finally {
      context.remove();
    }
  }

  /**
   * Waits until every line so far is written.
   *
   * @return false if the deadline passed first
   */
  public static boolean flush(Deadline deadline) {
    return thread.flush(deadline);
  }

  /** Keeps the thread from the next line on: a process may be unable to start one later. */
  public static void keep() {
    stopped = false;
  }

  /**
   * Ends the thread once every line so far is written. A later line starts it again, for that line:
   * it must not keep the class loader of an application that has been undeployed.
   */
  public static void stop() {
    stopped = true;
    thread.stop();
  }
}
