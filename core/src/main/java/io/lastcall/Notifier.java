package io.lastcall;

import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.report.ShutdownListener;
import io.lastcall.time.Deadline;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners, on a thread of its own: whatever they do, the sequence goes on beside them. */
final class Notifier {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);

  private final List<ShutdownListener> listeners;
  private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final boolean running;
  private volatile boolean finished;

  Notifier(List<ShutdownListener> listeners) {
    this.listeners = listeners;
    running = Threads.start(Threads.daemon("notifier", this::deliver));
    if (!running) {
      SafeLog.attempt(
          () -> log.warn("No thread is left for listeners: they hear nothing of this shutdown"));
    }
  }

  /** Never throws. */
  void tell(Consumer<ShutdownListener> event) {
    if (!listeners.isEmpty()) {
      SafeLog.attempt(
          () ->
              events.add(
                  () -> listeners.forEach(listener -> guarded(() -> event.accept(listener)))));
    }
  }

  /** Does {@code last} behind everything told, and waits for it until the deadline. */
  void finish(Runnable last, Deadline deadline) {
    Thread waiter = Thread.currentThread();
    events.add(() -> guarded(last));
    events.add(
        () -> {
          finished = true;
          LockSupport.unpark(waiter);
        });
    if (running) {
      deadline.await(this, () -> finished);
    }
  }

  private void deliver() {
    while (!finished) {
      Runnable event = next();
      if (event != null) {
        event.run();
      }
    }
  }

  private @Nullable Runnable next() {
    try {
      return events.take();
    } catch (InterruptedException e) {
      // A listener interrupted its own thread; the next one is still owed its event.
      return null;
    }
  }

  private static void guarded(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable t) {
      SafeLog.warn(log, "A shutdown listener failed", t);
    }
  }
}
