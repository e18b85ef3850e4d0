package io.lastcall.process;

import org.slf4j.Logger;

/** For a failure that nothing may depend on, not even on its being logged. */
public final class SafeLog {
  private SafeLog() {}

  /**
   * Logs a failure as a warning. Never throws. Nothing is needed for that which may not be there
   * yet, no lambda and no class: with a full heap there is none to be had.
   */
  public static void warn(Logger log, String message, Throwable failure) {
    try {
      log.warn(message, failure);
    } catch (Throwable unsaid) {
      // There is no better place to say it.
    }
  }

  /** Logs a failure that is told elsewhere, too; as {@link #warn}. */
  public static void debug(Logger log, String message, Throwable failure) {
    try {
      log.debug(message, failure);
    } catch (Throwable unsaid) {
      // As above.
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
