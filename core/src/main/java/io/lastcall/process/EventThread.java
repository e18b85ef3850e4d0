package io.lastcall.process;

import io.lastcall.time.Deadline;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs events in order on a daemon thread of its own. An event that blocks holds up the events
 * after it and nothing else. Thread-safe.
 */
public final class EventThread {
  private static final Logger log = LoggerFactory.getLogger(EventThread.class);

  private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final AtomicBoolean running = new AtomicBoolean();
  private final String name;
  private volatile @Nullable Thread thread;
  private volatile boolean ended;

  /** Creates one whose thread is called {@code lastcall-name}; not started. */
  public EventThread(String name) {
    this.name = name;
  }

  /** Starts the thread unless it runs; returns false if the process can have no other thread. */
  public boolean start() {
    if (running.compareAndSet(false, true)) {
      Thread started = Threads.daemon(name, this::runEvents);
      thread = started;
      if (!Threads.start(started)) {
        running.set(false);
      }
    }
    return running.get();
  }

  /** Adds an event; it waits until the thread is started. Never blocks. */
  public void add(Runnable event) {
    events.add(event);
  }

  /** Ends the thread after the events so far; it may be started again. */
  public void stop() {
    add(() -> ended = true);
  }

  /**
   * Waits until the events so far have run, and ends the thread; it may be started again.
   *
   * @return false if the deadline passed first
   */
  public boolean finish(Deadline deadline) {
    boolean finished = flush(deadline);
    stop();
    return finished;
  }

  /**
   * Waits until the events so far have run.
   *
   * @return false if the deadline passed first
   */
  boolean flush(Deadline deadline) {
    Thread waiter = Thread.currentThread();
    AtomicBoolean flushed = new AtomicBoolean();
    add(
        () -> {
          flushed.set(true);
          LockSupport.unpark(waiter);
        });
    return !start() || deadline.await(this, flushed::get);
  }

  /** Returns where the thread is now, a frame a line. */
  public String stack() {
    Thread started = thread;
    return started == null ? "" : Threads.stack(started);
  }

  private void runEvents() {
    ended = false;
    while (!ended) {
      try {
        events.take().run();
      } catch (InterruptedException e) {
        // An event interrupted its own thread; the next event is still due.
      } catch (Throwable t) {
        ShutdownLog.warn(log, "An event failed", t);
      }
    }
    running.set(false);
    if (!events.isEmpty()) {
      start(); // an event was added after the end
    }
  }
}
