package io.lastcall.process;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The diagnostic context (MDC) of a thread, carried to another. The library's threads log with the
 * context of the thread that began the shutdown; a step logs, on top of it, with the context of the
 * thread that registered it.
 *
 * @param entries empty where there is no context, or the logger has none
 */
public record LogContext(Map<String, String> entries) {
  /** No entries. */
  public static final LogContext NONE = new LogContext(Map.of());

  /** Returns the calling thread's. Never throws: logging must not stop a shutdown. */
  public static LogContext current() {
    try {
      @Nullable Map<String, String> copy = MDC.getCopyOfContextMap();
      return copy == null || copy.isEmpty() ? NONE : new LogContext(copy);
    } catch (RuntimeException | LinkageError e) {
      return NONE;
    }
  }

  /** Adds the entries to the calling thread's. Never throws. */
  public void add() {
    try {
      entries.forEach(MDC::put);
    } catch (RuntimeException | LinkageError e) {
      // The lines are logged without them.
    }
  }

  /** Takes the entries out of the calling thread's. Never throws. */
  public void remove() {
    try {
      entries.keySet().forEach(MDC::remove);
    } catch (RuntimeException | LinkageError e) {
      // As above.
    }
  }

  /** Returns a body that runs with these entries, on a thread of its own. */
  public Runnable around(Runnable body) {
    return entries.isEmpty()
        ? body
        : () -> {
          add();
          body.run();
        };
  }
}
