package io.lastcall.propagation;

import io.lastcall.inflight.Arrivals;
import io.lastcall.inflight.ClientRequests;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * New connections, requests, and the requests of each address, over the last five minutes. Of very
 * many addresses only the busiest are kept. Thread-safe.
 */
public final class ArrivalHistory {
  /** The length of the whole history; a process younger than this has none. */
  public static final int SECONDS = RecentSeconds.SECONDS;

  /** How many addresses are kept. */
  static final int MOST_CLIENTS = 1_000;

  private static final Duration PERIOD = Duration.ofSeconds(1).dividedBy(RecentSeconds.EACH);

  private final LongSupplier started;
  private final Arrivals arrivals;
  private final Ticker ticker;
  private final RecentSeconds connections = new RecentSeconds();
  private final RecentSeconds requests = new RecentSeconds();
  private final Map<ClientRequests, RecentSeconds> clients = new HashMap<>();
  private volatile boolean stopped;
  private volatile @Nullable Thread sampler;

  /**
   * @param started the number of requests so far
   */
  public ArrivalHistory(LongSupplier started, Arrivals arrivals, Ticker ticker) {
    this.started = started;
    this.arrivals = arrivals;
    this.ticker = ticker;
  }

  /** Samples every half second on the calling thread, until {@link #stop}. */
  public void sample() {
    sampler = Thread.currentThread();
    Deadline next = Deadline.after(PERIOD, ticker);
    synchronized (clients) {
      connections.begin(arrivals.connections());
      requests.begin(started.getAsLong());
    }
    while (!next.await(this, () -> stopped)) {
      synchronized (clients) {
        sampleNow();
      }
      next = next.plus(PERIOD);
    }
  }

  private void sampleNow() {
    connections.sample(arrivals.connections());
    requests.sample(started.getAsLong());
    for (ClientRequests client : arrivals.clients()) {
      clients.computeIfAbsent(client, first -> new RecentSeconds()).sample(client.requests());
    }
    clients.entrySet().removeIf(known -> isSilent(known.getKey(), known.getValue()));
    if (clients.size() > 2 * MOST_CLIENTS) {
      clients.entrySet().stream()
          .sorted(Comparator.comparingDouble(known -> known.getValue().rate()))
          .limit(clients.size() - MOST_CLIENTS)
          .map(Map.Entry::getKey)
          .toList()
          .forEach(this::drop);
    }
  }

  private boolean isSilent(ClientRequests client, RecentSeconds seconds) {
    if (seconds.sum() == 0) {
      arrivals.drop(client);
      return true;
    }
    return false;
  }

  private void drop(ClientRequests client) {
    arrivals.drop(client);
    clients.remove(client);
  }

  /** Ends the sampling: arrivals after the trigger are no ordinary traffic. */
  public void stop() {
    stopped = true;
    LockSupport.unpark(sampler);
  }

  /** Returns how many seconds there are, at most {@value #SECONDS}. */
  public long seconds() {
    synchronized (clients) {
      return requests.seconds();
    }
  }

  /** Returns the last five minutes; empty without the whole history. */
  public Optional<RecentTraffic> recent() {
    synchronized (clients) {
      if (requests.seconds() < SECONDS) {
        return Optional.empty();
      }
      List<RecentTraffic.Client> known =
          clients.entrySet().stream()
              .map(
                  client ->
                      new RecentTraffic.Client(
                          client.getKey().address(),
                          client.getValue().ordered(),
                          client.getKey()::mayBeRouter))
              .toList();
      return Optional.of(new RecentTraffic(connections.ordered(), requests.ordered(), known));
    }
  }
}
