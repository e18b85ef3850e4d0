package io.lastcall.process;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/** For a failure that nothing may depend on, not even on its being logged. */
public final class SafeLog {
  private SafeLog() {}

  /** Logs a failure as a warning. Never throws. */
  public static void warn(Logger log, String message, Throwable failure) {
    log(log, Level.WARN, message, failure);
  }

  /** Logs a failure that is told elsewhere, too. Never throws. */
  public static void debug(Logger log, String message, Throwable failure) {
    log(log, Level.DEBUG, message, failure);
  }

  /** Without a lambda: with a full heap there is none to be had. */
  private static void log(Logger log, Level level, String message, Throwable failure) {
    try {
      log.atLevel(level).setCause(failure).log(message);
    } catch (Throwable unsaid) {
      // There is no better place to say it.
    }
  }

  /**
   * Says something, in a log or otherwise. Never throws: a full heap fails the log too, its backend
   * may be broken, and somebody's exception may throw when it is asked for its message.
   */
  public static void attempt(Runnable words) {
    try {
      words.run();
    } catch (Throwable unsaid) {
      // There is no better place to say it.
    }
  }
}
