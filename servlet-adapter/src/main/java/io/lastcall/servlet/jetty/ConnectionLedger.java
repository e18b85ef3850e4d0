package io.lastcall.servlet.jetty;

import io.lastcall.connection.FirstRequest;
import io.lastcall.inflight.RequestGate;
import java.nio.channels.SelectableChannel;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.eclipse.jetty.io.SelectorManager;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one connector that may be owed an answer, from the accept, before Jetty has an
 * end point for them, until they are closed, half-closed, or no HTTP any more. Thread-safe.
 *
 * <p>No connection falls between {@link #settle} and its own next step: whoever makes a connection
 * rest registers for its next byte and then reads {@code settling}; settle writes {@code settling}
 * and then looks at every end point. One that is not there yet registers later.
 */
final class ConnectionLedger implements SelectorManager.AcceptListener {
  private final Supplier<FirstRequest> firstRequests;
  private final Set<SelectableChannel> owed = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> settled = new CompletableFuture<>();

  /** Set once, before the server starts, by whoever drains it. */
  private volatile @Nullable RequestGate gate;

  /** The listener is closed: a connection ends as soon as it is idle. */
  private volatile boolean settling;

  /**
   * @param firstRequests begins, for each connection, to await its first request
   */
  ConnectionLedger(Supplier<FirstRequest> firstRequests) {
    this.firstRequests = firstRequests;
  }

  FirstRequest awaitFirstRequest() {
    return firstRequests.get();
  }

  void serve(RequestGate newGate) {
    gate = newGate;
  }

  boolean isServed() {
    return gate != null;
  }

  boolean shouldCloseConnection() {
    RequestGate known = gate;
    return known != null && known.shouldCloseConnection();
  }

  boolean mayCloseConnections() {
    RequestGate known = gate;
    return known != null && known.mayCloseConnections();
  }

  long acceptTime() {
    RequestGate known = gate;
    return known == null ? -1 : known.acceptTime();
  }

  boolean isSettling() {
    return settling;
  }

  /** On the acceptor's thread, before anything else happens to the connection. */
  @Override
  public void onAccepting(SelectableChannel channel) {
    owed.add(channel);
  }

  @Override
  public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
    drop(channel);
  }

  boolean isOwed(SelectableChannel channel) {
    return owed.contains(channel);
  }

  /** Nothing more is owed on the connection. */
  void drop(SelectableChannel channel) {
    owed.remove(channel);
    completeIfNobody();
  }

  /**
   * Waits for nobody: completes when none of the connections, the last ones there will be, is owed
   * an answer any more.
   */
  CompletionStage<Void> settle(Collection<DrainingEndPoint> open) {
    settling = true;
    for (DrainingEndPoint endPoint : open) {
      endPoint.closeIfIdle();
      endPoint.dropIfLongLived();
    }
    completeIfNobody();
    return settled;
  }

  private void completeIfNobody() {
    if (settling && owed.isEmpty()) {
      settled.complete(null);
    }
  }
}
