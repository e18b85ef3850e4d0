package io.lastcall.pool;

import io.lastcall.process.LogContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connections of one pool that the last three seconds did not need.
 *
 * <p>A pool says how many connections are in use, and sends no event when that changes: so it is
 * sampled. Samples miss short peaks, and bursts come: half as many again as the highest sample, and
 * at least two more, are kept. Where nothing was in use and no request arrived, one connection is
 * kept: a step or a health check has it at once, also when the database would accept no other, and
 * a database in memory lives as long as its last connection.
 */
final class LeavingPool {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private static final Duration INTERVAL = Duration.ofMillis(100);

  /** Three seconds: longer than a pause between two requests of a user who works. */
  private static final int SAMPLES = 30;

  private static final int LEAST_SPARE = 2;

  private final String name;
  private final ConnectionPool pool;
  private final LongSupplier arrivals;
  private final Ticker ticker;
  private final int[] needed = new int[SAMPLES];
  private volatile @Nullable Thread thread;
  private volatile boolean stopped;
  private long arrived;
  private int closed;

  /**
   * @param arrivals how many requests have arrived so far
   */
  LeavingPool(String name, ConnectionPool pool, LongSupplier arrivals, Ticker ticker) {
    this.name = name;
    this.pool = pool;
    this.arrivals = arrivals;
    this.ticker = ticker;
  }

  /** Starts it, on a thread of its own: closing a connection blocks. */
  void start() {
    Thread started = Threads.daemon("pool-" + name, LogContext.current().around(this::run));
    thread = started;
    // Without a thread the pool stays as it is, as without the library.
    var unused = Threads.start(started);
  }

  /**
   * Ends it after the connection that is being closed, which is not waited for. No interrupt: an
   * embedded database may close its file by that.
   */
  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    try {
      int open = pool.inUse() + pool.idle();
      arrived = arrivals.getAsLong();
      for (int sample = 0; !stopped; sample++) {
        needed[sample % SAMPLES] = sample();
        if (sample >= SAMPLES) {
          closeSurplus();
        }
        var unused = Deadline.after(INTERVAL, ticker).await(this, () -> stopped);
      }
      if (closed > 0) {
        ShutdownLog.info(
            log, "Pool '{}' has closed {} of {} connections: they were idle", name, closed, open);
      }
    } catch (Throwable t) {
      ShutdownLog.warn(
          log,
          "Pool '{}' keeps its idle connections until it is closed; of these {} were closed",
          name,
          closed,
          t);
    }
  }

  /** Returns how many connections are needed now: at least one while requests arrive. */
  private int sample() {
    long before = arrived;
    arrived = arrivals.getAsLong();
    return Math.max(pool.inUse(), arrived == before ? 0 : 1);
  }

  private void closeSurplus() throws Exception {
    int most = Arrays.stream(needed).max().orElse(0);
    boolean going = true;
    while (going && !stopped) {
      // Others may take some while one is closed.
      int inUse = pool.inUse();
      most = Math.max(most, inUse);
      going = inUse + pool.idle() > kept(most) && pool.closeOneIdle();
      closed += going ? 1 : 0;
    }
  }

  private static int kept(int most) {
    return most == 0 ? 1 : most + Math.max(LEAST_SPARE, most / 2);
  }
}
