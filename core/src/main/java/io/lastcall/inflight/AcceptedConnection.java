package io.lastcall.inflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection as the gate knows it: made by {@link RequestGate#accepted} when the listener has
 * accepted it, kept by the adapter with the connection, and given to {@link RequestGate#cameBy}
 * with each request that is no probe. Thread-safe.
 */
public final class AcceptedConnection {
  private static final VarHandle CLIENT;

  static {
    try {
      CLIENT =
          MethodHandles.lookup()
              .findVarHandle(AcceptedConnection.class, "client", ClientRequests.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** In nanoseconds since the trigger; negative if it was accepted before. */
  final long acceptTime;

  /** Where it comes from, a client's or a proxy's; null where the adapter does not know it. */
  final @Nullable InetAddress address;

  /** Null where arrivals are not observed. */
  private final @Nullable Arrivals arrivals;

  /** Set by the first request. */
  private volatile @Nullable ClientRequests client;

  AcceptedConnection(long acceptTime, @Nullable InetAddress address, @Nullable Arrivals arrivals) {
    this.acceptTime = acceptTime;
    this.address = address;
    this.arrivals = arrivals;
  }

  /** A request that is no probe has come by it. */
  void request() {
    Arrivals observed = arrivals;
    if (observed != null) {
      count(observed);
    }
  }

  /** Returns whether a request that comes by it now shows that a router still sends here. */
  boolean showsRouter() {
    ClientRequests known = client;
    return acceptTime >= 0 || (known != null && known.isMaybeRouter());
  }

  private void count(Arrivals observed) {
    ClientRequests known = client;
    if (known == null) {
      known = observed.client(address);
      if (CLIENT.compareAndSet(this, null, known)) {
        observed.connected();
      }
    }
    if (!known.add()) {
      client = observed.revived(known);
    }
  }
}
