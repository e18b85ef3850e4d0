package io.lastcall.propagation;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A service's traffic of the last five minutes, each half second of it, oldest first.
 *
 * @param connections the new connections that brought a request
 * @param requests all requests
 * @param clients the requests of each address, as far as the adapters know the connections
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RecentTraffic(long[] connections, long[] requests, List<Client> clients) {

  /**
   * An address that requests came from, a client's or a proxy's.
   *
   * @param address empty if it is not known
   * @param mayBeRouter is called where so many requests come from it that it may be a router
   */
  @SuppressWarnings("ArrayRecordComponent") // likewise
  public record Client(Optional<InetAddress> address, long[] requests, Runnable mayBeRouter) {}

  /** Returns the share of {@code some} in all requests. */
  double share(long[] some) {
    return (double) sum(some) / Math.max(1, sum(requests));
  }

  /** Returns the share of the requests whose connections no adapter knows. */
  double unknown() {
    return Math.max(0, 1 - clients.stream().mapToDouble(client -> share(client.requests())).sum());
  }

  /** Returns the arrivals of a second, on average. */
  static double rate(long[] arrivals) {
    return (double) sum(arrivals) * RecentSeconds.EACH / Math.max(1, arrivals.length);
  }

  private static long sum(long[] arrivals) {
    return Arrays.stream(arrivals).sum();
  }
}
