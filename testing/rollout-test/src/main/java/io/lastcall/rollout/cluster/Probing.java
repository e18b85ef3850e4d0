package io.lastcall.rollout.cluster;

import io.lastcall.rollout.load.HttpConnection;
import io.lastcall.rollout.load.LoadSettings;
import io.lastcall.rollout.load.Reply;
import io.lastcall.rollout.load.Request;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Asks a pod's readiness four times a second, as a kubelet does, also while it terminates. A thread
 * of its own, a daemon.
 */
public final class Probing implements AutoCloseable {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(250);

  /** A kubelet takes 200 to 399 as success. */
  private static final int FIRST_FAILURE = 400;

  private final @Nullable InetSocketAddress address;
  private final Request request;
  private final LoadSettings settings;
  private volatile boolean stopped;
  private volatile long slowest;
  private @Nullable Thread thread;

  // Guarded by this: the latest time of success, and of the first failure after it.
  private long refused;
  private boolean refusing;
  private long failed;
  private boolean failing;

  /** Asks nothing. */
  public static Probing none() {
    return new Probing(null, "/", false);
  }

  /**
   * Prepares; the rollout starts it.
   *
   * @param address where readiness is asked; null for nowhere
   */
  public Probing(@Nullable InetSocketAddress address, String path, boolean tls) {
    this.address = address;
    Map<String, String> fields = Map.of("User-Agent", "kube-probe", "Connection", "close");
    request =
        new Request(
            "probe", "GET", path, fields, List.of(), Duration.ZERO, false, (status, body) -> true);
    Duration timeout = Duration.ofSeconds(2);
    settings = new LoadSettings(false, tls, 0, false, timeout, timeout);
  }

  /**
   * Asks once.
   *
   * @return the status, or 0 for an answer that is none
   * @throws IOException if there was no connection
   */
  public int ask() throws IOException {
    if (address == null) {
      return 0;
    }
    try (HttpConnection connection = HttpConnection.open(0, address, settings)) {
      connection.send(request, false);
      return connection.receive() instanceof Reply.Complete complete ? complete.status() : 0;
    }
  }

  void start() {
    if (address != null) {
      thread = new Thread(this::run, "probe-" + address.getPort());
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    while (!stopped) {
      long asked = System.nanoTime();
      try {
        int status = ask();
        if (status != 0) {
          slowest = Math.max(slowest, System.nanoTime() - asked);
          answered(status < FIRST_FAILURE, asked);
        }
      } catch (IOException e) {
        refused(asked);
      }
      LockSupport.parkNanos(PERIOD);
    }
  }

  private synchronized void refused(long time) {
    if (!refusing) {
      refused = time;
    }
    refusing = true;
  }

  private synchronized void answered(boolean ready, long time) {
    refusing = false;
    if (!ready && !failing) {
      failed = time;
    }
    failing = !ready;
  }

  /** When readiness failed for good, after this time. */
  synchronized OptionalLong failedAfter(long time) {
    return failing && failed - time > 0 ? OptionalLong.of(failed) : OptionalLong.empty();
  }

  /** When connections began to be refused for good, after this time. */
  synchronized OptionalLong refusedAfter(long time) {
    return refusing && refused - time > 0 ? OptionalLong.of(refused) : OptionalLong.empty();
  }

  /** The slowest answer so far, in nanoseconds. */
  long slowest() {
    return slowest;
  }

  @Override
  public void close() {
    stopped = true;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
