package io.lastcall.sequence;

import io.lastcall.process.EventThread;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.ShutdownListener;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies listeners on a thread of its own: a listener that blocks never blocks the sequence.
 *
 * @param registrations has the listeners
 * @param thread notifies them; not started until there is an event for them
 */
public record Notifier(Registrations registrations, EventThread thread) {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);

  /** Creates one for the listeners of {@code registrations}, whenever they are added. */
  public Notifier(Registrations registrations) {
    this(registrations, new EventThread("notifier"));
  }

  /** Starts the thread, unless it runs. */
  public void start() {
    if (!thread.start()) {
      ShutdownLog.warn(log, "No thread is left for listeners: they are not notified");
    }
  }

  /** Notifies the current listeners once the thread is started. Never throws, never blocks. */
  public void notifyListeners(Consumer<ShutdownListener> event) {
    registrations.listeners().forEach(listener -> thread.add(() -> call(listener, event)));
  }

  private static void call(ShutdownListener listener, Consumer<ShutdownListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "A shutdown listener failed", t);
    }
  }
}
