package io.lastcall.sequence;

import io.lastcall.process.EventThread;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.ShutdownListener;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners, notified on a thread of their own: a listener that blocks never blocks the
 * sequence. Thread-safe.
 */
public final class Notifier {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);

  private final List<ShutdownListener> listeners = new CopyOnWriteArrayList<>();
  private final EventThread thread = new EventThread("notifier");

  Notifier() {}

  /** Adds a listener; returns what takes it back. */
  public Runnable add(ShutdownListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
    return () -> listeners.remove(listener);
  }

  /** Returns the thread, which is not started until there is an event for listeners. */
  public EventThread thread() {
    return thread;
  }

  /** Starts the thread, unless it runs. */
  public void start() {
    if (!thread.start()) {
      ShutdownLog.warn(log, "No thread is left for listeners: they are not notified");
    }
  }

  /** Notifies the current listeners once the thread is started. Never throws, never blocks. */
  public void notifyListeners(Consumer<ShutdownListener> event) {
    listeners.forEach(listener -> thread.add(() -> call(listener, event)));
  }

  private static void call(ShutdownListener listener, Consumer<ShutdownListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "A shutdown listener failed", t);
    }
  }
}
