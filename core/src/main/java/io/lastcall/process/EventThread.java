package io.lastcall.process;

import io.lastcall.time.Deadline;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs events in order on a daemon thread of its own. An event that blocks holds up the events
 * after it and nothing else. Thread-safe.
 */
public final class EventThread {
  private static final Logger log = LoggerFactory.getLogger(EventThread.class);

  private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final Thread thread;
  private volatile boolean ended;

  /** Creates one whose thread is called {@code lastcall-name}; not started. */
  public EventThread(String name) {
    thread = Threads.daemon(name, this::runEvents);
  }

  /** Starts the thread unless it runs; returns false if the process can have no other thread. */
  public boolean start() {
    if (started.compareAndSet(false, true) && !Threads.start(thread)) {
      started.set(false);
    }
    return started.get();
  }

  /** Adds an event; it waits until the thread is started. Never blocks. */
  public void add(Runnable event) {
    events.add(event);
  }

  /** Ends the thread after the events so far. */
  public void stop() {
    add(() -> ended = true);
  }

  /**
   * Ends the thread after the events so far, and waits for that.
   *
   * @return false if the deadline passed first
   */
  public boolean finish(Deadline deadline) {
    Thread waiter = Thread.currentThread();
    add(
        () -> {
          ended = true;
          LockSupport.unpark(waiter);
        });
    return !start() || deadline.await(this, () -> ended);
  }

  /** Returns where the thread is now, a frame a line. */
  public String stack() {
    return Threads.stack(thread);
  }

  private void runEvents() {
    while (!ended) {
      try {
        events.take().run();
      } catch (InterruptedException e) {
        // An event interrupted its own thread; the next event is still due.
      } catch (Throwable t) {
        ShutdownLog.warn(log, "An event failed", t);
      }
    }
  }
}
