package io.lastcall;

import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.report.ShutdownListener;
import io.lastcall.time.Deadline;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners, on a thread of its own: whatever they do, the sequence goes on beside them. */
final class Notifier {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);

  private final Supplier<List<ShutdownListener>> listeners;
  private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final Thread thread = Threads.daemon("notifier", this::deliver);
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile @Nullable Thread waiter;
  private volatile boolean finished;

  /**
   * @param listeners those there are when it is asked
   */
  Notifier(Supplier<List<ShutdownListener>> listeners) {
    this.listeners = listeners;
  }

  /** Starts the thread, unless it runs: few processes have anything to tell before their end. */
  void start() {
    if (running.compareAndSet(false, true) && !Threads.start(thread)) {
      running.set(false);
      SafeLog.attempt(() -> log.warn("No thread is left for listeners: they hear nothing"));
    }
  }

  /** Ends the thread, behind everything told. */
  void stop() {
    events.add(() -> finished = true);
  }

  /** Tells the listeners there are now. Never throws, never blocks. */
  void tell(Consumer<ShutdownListener> event) {
    SafeLog.attempt(
        () -> {
          List<ShutdownListener> now = listeners.get();
          if (!now.isEmpty()) {
            events.add(() -> now.forEach(listener -> tell(listener, event)));
          }
        });
  }

  /**
   * Logs something in its turn among what is told. On the same thread: the caller may be an event
   * loop, or the thread that answers the probes, and a log may block.
   */
  void log(Runnable words) {
    SafeLog.attempt(() -> events.add(() -> SafeLog.attempt(words)));
  }

  /** Makes nothing for that, not even a lambda: the heap may be full. */
  private static void tell(ShutdownListener listener, Consumer<ShutdownListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable t) {
      SafeLog.warn(log, "A shutdown listener failed", t);
    }
  }

  /**
   * Does {@code last} behind everything told, and waits for it until the deadline.
   *
   * @return false if that has passed first
   */
  boolean finish(Runnable last, Deadline deadline) {
    // Where there was no thread for it at the beginning.
    start();
    waiter = Thread.currentThread();
    events.add(last);
    events.add(this::end);
    return !running.get() || deadline.await(this, () -> finished);
  }

  /** Returns where the thread is, in words. */
  String stuckAt() {
    return StuckReporter.stack(thread);
  }

  private void end() {
    finished = true;
    LockSupport.unpark(waiter);
  }

  private void deliver() {
    while (!finished) {
      try {
        events.take().run();
      } catch (InterruptedException e) {
        // A listener interrupted its own thread; the next one is still owed its event.
      } catch (Throwable t) {
        // Such as a full heap, which has no room even for the wait on some JDKs.
        SafeLog.warn(log, "Listeners were not told everything", t);
        LockSupport.parkNanos(this, PhaseRunner.RETRY_NANOS);
      }
    }
  }
}
