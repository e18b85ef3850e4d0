package io.lastcall.sequence;

import org.jspecify.annotations.Nullable;

/** Stands in a log for a failure whose message, or that of a cause, is too long for one. */
final class LoggedFailure extends Throwable {
  private static final long serialVersionUID = 1L;

  /** In characters. */
  private static final int LONGEST_MESSAGE = 500;

  /** Causes looked at: a chain may have no end. */
  private static final int MOST_CAUSES = 20;

  private LoggedFailure(String text, StackTraceElement[] stack) {
    super(text);
    setStackTrace(stack);
  }

  /**
   * Returns {@code failure}, or what stands for it.
   *
   * @param text the failure in words, few enough for a log
   */
  static Throwable of(Throwable failure, String text) {
    @Nullable Throwable cause = failure;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      String message = cause.getMessage();
      if (message != null && message.length() > LONGEST_MESSAGE) {
        return new LoggedFailure(text, failure.getStackTrace());
      }
      cause = cause.getCause();
    }
    return failure;
  }
}
