package io.lastcall.inflight;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The new connections that brought a request, and the requests of each address, probes excluded:
 * what adaptive propagation takes its evidence from. Nothing is counted before {@link
 * GateControl#observeArrivals}. Thread-safe.
 *
 * @hidden of the library itself
 */
public final class Arrivals {
  private final LongAdder connections = new LongAdder();
  private final ConcurrentMap<Optional<InetAddress>, ClientRequests> clients =
      new ConcurrentHashMap<>();

  Arrivals() {}

  /** Returns how many connections have brought a first request so far. */
  public long connections() {
    return connections.sum();
  }

  /** Returns the addresses that are observed; a view that changes. */
  public Collection<ClientRequests> clients() {
    return clients.values();
  }

  /** Ends the observation of an address; a later request from it begins it anew. */
  public void drop(ClientRequests client) {
    client.drop();
    clients.remove(client.address(), client);
  }

  void connected() {
    connections.increment();
  }

  ClientRequests client(@Nullable InetAddress address) {
    return clients.computeIfAbsent(
        Optional.ofNullable(address), key -> new ClientRequests(address));
  }

  /** A request has come from an address that was dropped. Returns what counts for it from now. */
  ClientRequests revived(ClientRequests dropped) {
    ClientRequests again = client(dropped.address().orElse(null));
    again.add();
    return again;
  }
}
