package io.lastcall;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The diagnostic context (MDC) of a thread, carried to another. The library's threads log with that
 * of whoever began the shutdown; a step logs, on top of it, with that of whoever registered it.
 *
 * @param entries empty where there is none, or no logger that has one
 */
record LogContext(Map<String, String> entries) {
  static final LogContext NONE = new LogContext(Map.of());

  /** Returns the calling thread's; nothing that fails here may stop a shutdown. */
  static LogContext current() {
    try {
      @Nullable Map<String, String> copy = MDC.getCopyOfContextMap();
      return copy == null || copy.isEmpty() ? NONE : new LogContext(copy);
    } catch (RuntimeException | LinkageError e) {
      return NONE;
    }
  }

  /** Adds the entries to the calling thread's; nothing that fails here may stop a shutdown. */
  void add() {
    try {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        MDC.put(entry.getKey(), entry.getValue());
      }
    } catch (Throwable t) {
      // Logged without them, then. No lambda here: with a full heap there is none to be had.
    }
  }

  /** Returns a body that runs with these entries, on a thread of its own. */
  Runnable around(Runnable body) {
    return entries.isEmpty()
        ? body
        : () -> {
          add();
          body.run();
        };
  }
}
