package io.lastcall.sequence;

import io.lastcall.process.EventThread;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.ShutdownListener;
import io.lastcall.time.Deadline;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies listeners on a thread of its own: a listener that blocks never blocks the sequence. */
public final class Notifier {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);

  private final Registrations registrations;
  private final EventThread thread = new EventThread("notifier");

  /** Creates one for the listeners of {@code registrations}, whenever they are added. */
  public Notifier(Registrations registrations) {
    this.registrations = registrations;
  }

  /** Starts the thread, unless it runs: most processes have nothing to tell before their end. */
  public void start() {
    if (!thread.start()) {
      ShutdownLog.warn(log, "No thread is left for listeners: they are not notified");
    }
  }

  /** Ends the thread after every event so far. */
  public void stop() {
    thread.stop();
  }

  /** Notifies the listeners that there are now. Never throws, never blocks. */
  public void tell(Consumer<ShutdownListener> event) {
    for (ShutdownListener listener : registrations.listeners()) {
      thread.add(() -> tell(listener, event));
    }
  }

  private static void tell(ShutdownListener listener, Consumer<ShutdownListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "A shutdown listener failed", t);
    }
  }

  /**
   * Waits until every listener has had every event.
   *
   * @return false if the deadline passed first
   */
  public boolean finish(Deadline deadline) {
    return thread.finish(deadline);
  }

  /** Returns where the thread is now, a frame a line. */
  public String stack() {
    return thread.stack();
  }
}
