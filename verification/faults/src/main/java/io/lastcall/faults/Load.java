package io.lastcall.faults;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests that have to be answered: four in flight at the trigger, and until a little before the
 * propagation delay ends new ones on connections of their own, and some on one that is kept alive.
 */
final class Load implements AutoCloseable {
  private static final int IN_FLIGHT = 4;
  private static final int WORK_MILLIS = 1500;
  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long ARRIVAL = Command.PROPAGATION.minusMillis(500).toNanos();

  private final ExecutorService threads = Executors.newCachedThreadPool(Load::daemon);
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final int port;
  private List<Thread> arrivals = List.of();
  private volatile long end;
  private volatile boolean ends;

  Load(int port) {
    this.port = port;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "load");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns once the four are being served. */
  void begin(SubjectJvm jvm, boolean arriving) throws InterruptedException {
    if (arriving) {
      arrivals = List.of(start(this::arrive), start(this::keepAlive));
    }
    for (int request = 0; request < IN_FLIGHT; request++) {
      threads.execute(() -> count(() -> Http.get(port, "/work?ms=" + WORK_MILLIS)));
    }
    jvm.awaitSaid("serving", IN_FLIGHT);
  }

  private static Thread start(Runnable work) {
    Thread thread = daemon(work);
    thread.start();
    return thread;
  }

  /** From here on routers learn. */
  void triggered(long trigger) {
    end = trigger + ARRIVAL;
    ends = true;
  }

  private boolean isOver() {
    return ends && System.nanoTime() - end >= 0;
  }

  private void arrive() {
    while (!isOver()) {
      threads.execute(() -> count(() -> Http.get(port, "/fast")));
      LockSupport.parkNanos(INTERVAL);
    }
  }

  private void keepAlive() {
    while (!isOver()) {
      try (Http http = Http.connect(port)) {
        boolean close = false;
        while (!close && !isOver() && !http.isEnded()) {
          close = count(() -> http.get("/fast"));
          LockSupport.parkNanos(INTERVAL);
        }
      } catch (IOException e) {
        sent.incrementAndGet();
        fail("keep-alive: " + e);
        LockSupport.parkNanos(INTERVAL);
      }
    }
  }

  private interface Request {
    Http.Answer send() throws IOException;
  }

  /** Returns whether the connection is not to be used again. */
  private boolean count(Request request) {
    sent.incrementAndGet();
    try {
      Http.Answer answer = request.send();
      if (answer.status() != 200) {
        fail("status " + answer.status());
      }
      return answer.close();
    } catch (IOException | RuntimeException e) {
      fail(e.toString());
      return true;
    }
  }

  private void fail(String why) {
    lost.incrementAndGet();
    failures.add(why);
  }

  /** Waits for the last answers; the process is gone, so that they come or fail at once. */
  void finish() throws InterruptedException {
    for (Thread arrival : arrivals) {
      arrival.join();
    }
    threads.shutdown();
    threads.awaitTermination(20, TimeUnit.SECONDS);
  }

  int sent() {
    return sent.get();
  }

  int lost() {
    return lost.get();
  }

  List<String> failures() {
    return failures;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
