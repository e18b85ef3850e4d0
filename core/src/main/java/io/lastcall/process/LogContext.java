package io.lastcall.process;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The diagnostic context (MDC) of a thread, carried to another: the library's threads log with the
 * context of the thread that began the shutdown. No method throws, whatever the logger does.
 *
 * @param entries empty where there is no context, or the logger has none
 */
public record LogContext(Map<String, String> entries) {
  /** No entries. */
  public static final LogContext NONE = new LogContext(Map.of());

  /** Returns the calling thread's context. */
  public static LogContext current() {
    try {
      @Nullable Map<String, String> copy = MDC.getCopyOfContextMap();
      return copy == null || copy.isEmpty() ? NONE : new LogContext(copy);
    } catch (RuntimeException | LinkageError e) {
      return NONE;
    }
  }

  /** Adds the entries to the calling thread's context. */
  public void add() {
    try {
      entries.forEach(MDC::put);
    } catch (RuntimeException | LinkageError e) {
      // The lines are logged without them.
    }
  }

  /** Removes the entries from the calling thread's context. */
  public void remove() {
    try {
      entries.keySet().forEach(MDC::remove);
    } catch (RuntimeException | LinkageError e) {
      // As above.
    }
  }

  /** Returns a body that runs with these entries, on a thread of its own. */
  public Runnable around(Runnable body) {
    return () -> {
      add();
      body.run();
    };
  }
}
