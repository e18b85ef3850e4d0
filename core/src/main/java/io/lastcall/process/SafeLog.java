package io.lastcall.process;

import org.slf4j.Logger;

/** For a failure that nothing may depend on, not even on its being logged. */
public final class SafeLog {
  private SafeLog() {}

  /**
   * Logs a failure. Never throws: a full heap fails the log too, and somebody's exception may throw
   * when it is asked for its message.
   */
  public static void warn(Logger log, String message, Throwable failure) {
    try {
      log.warn(message, failure);
    } catch (Throwable second) {
      // There is no better place to say it.
    }
  }
}
