package io.lastcall.inflight;

import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests from one address, a client's or a proxy's. Thread-safe.
 *
 * @hidden of the library itself
 */
public final class ClientRequests {
  private final @Nullable InetAddress address;
  private final AtomicLong requests = new AtomicLong();
  private volatile boolean dropped;
  private volatile boolean mayBeRouter;

  ClientRequests(@Nullable InetAddress address) {
    this.address = address;
  }

  /** Returns the address; empty where the adapter does not know it. */
  public Optional<InetAddress> address() {
    return Optional.ofNullable(address);
  }

  /** Returns how many requests have come from it so far. */
  public long requests() {
    return requests.get();
  }

  /**
   * Says that so many of the requests come from it that it may be a proxy, and so a router: each of
   * its requests shows that it still sends here.
   */
  public void mayBeRouter() {
    mayBeRouter = true;
  }

  boolean isMaybeRouter() {
    return mayBeRouter;
  }

  /** Counts a request. Returns false if the address is not observed any more. */
  boolean add() {
    requests.getAndIncrement();
    return !dropped;
  }

  void drop() {
    dropped = true;
  }
}
