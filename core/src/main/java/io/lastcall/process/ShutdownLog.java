package io.lastcall.process;

import io.lastcall.time.Deadline;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes log lines on a thread of its own, in order. A log may block for ever, where standard
 * output is a full pipe for instance, or throw: neither may stop the thread that has a line to say,
 * least of all the one that runs a shutdown. Thread-safe.
 */
public final class ShutdownLog {
  /** The logger of every line about a shutdown, so that one level and one filter fit them all. */
  public static final String NAME = "io.lastcall.GracefulShutdown";

  /**
   * A line, the diagnostic context of the thread that had it to say, and whether the thread ends
   * after it.
   */
  private record Line(LogContext context, Runnable body, boolean last) {}

  private static final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
  private static final AtomicBoolean running = new AtomicBoolean();
  private static final Line STOP = new Line(LogContext.NONE, () -> {}, true);

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
    lines.add(new Line(LogContext.current(), line, false));
    start();
  }

  /** Starts the thread now rather than with the first line, when there may be none left. */
  public static void start() {
    if (running.compareAndSet(false, true)
        && !Threads.start(Threads.daemon("log", ShutdownLog::writeLines))) {
      running.set(false); // no thread is left: the lines stay until one is, or are lost
    }
  }

  private static void writeLines() {
    boolean last = false;
    while (!last) {
      try {
        Line line = lines.take();
        last = line.last();
        write(line);
      } catch (Throwable t) {
        // The log is broken, and there is no better place to say so.
      }
    }
    running.set(false);
    if (!lines.isEmpty()) {
      start(); // a line came after the last look
    }
  }

  private static void write(Line line) {
    line.context().add();
    try {
      line.body().run();
    } finally {
      line.context().remove();
    }
  }

  /**
   * Waits until every line so far is written.
   *
   * @return false if the deadline passed first
   */
  public static boolean flush(Deadline deadline) {
    Thread waiter = Thread.currentThread();
    AtomicBoolean written = new AtomicBoolean();
    write(
        () -> {
          written.set(true);
          LockSupport.unpark(waiter);
        });
    return running.get() && deadline.await(lines, written::get);
  }

  /** Ends the thread once every line so far is written; the next line starts it again. */
  public static void stop() {
    if (running.get()) {
      lines.add(STOP);
    }
  }
}
