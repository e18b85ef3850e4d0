package io.lastcall.spi;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections of one server that DRAIN waits for: each from the accept, or from {@link
 * #settle}, until it is closed, half-closed while idle, or carries nothing but streams.
 * Thread-safe.
 *
 * <p>No connection falls between {@link #settle} and its own last event. Settle writes {@code
 * settling} and then reviews each connection; a thread that finishes with a connection removes it
 * and then reads {@link #isSettling}. At least one of the two sees the other.
 *
 * @param <C> what the adapter knows a connection by
 */
public final class AwaitedConnections<C> {
  private final Set<C> awaited = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The listener is closed: each connection ends as soon as it is idle. */
  private volatile boolean settling;

  /** Creates an empty set. */
  public AwaitedConnections() {}

  /** Adds a connection that was accepted, or one whose stream has ended, to wait for it again. */
  public void add(C connection) {
    awaited.add(connection);
  }

  /** Removes a connection that needs no more waiting; the last one completes the future. */
  public void remove(C connection) {
    if (awaited.remove(connection)) {
      completeIfNone();
    }
  }

  /** Returns a copy. */
  public List<C> all() {
    return List.copyOf(awaited);
  }

  /** Returns whether DRAIN waits for {@code connection}. */
  public boolean contains(C connection) {
    return awaited.contains(connection);
  }

  /** Returns whether the listener is closed: a connection is to end as soon as it is idle. */
  public boolean isSettling() {
    return settling;
  }

  /**
   * Call when the listener is closed. Does not block. May be called again.
   *
   * @param last connections to add, the last there will be
   * @param review ends the idle ones of all connections, and removes those not to be waited for
   * @return completes when none is left
   */
  public CompletionStage<Void> settle(Collection<? extends C> last, Runnable review) {
    awaited.addAll(last);
    settling = true;
    review.run();
    completeIfNone();
    return ended;
  }

  /** By the iterator, which is exact: the map's size is a sum, and may span two changes. */
  private void completeIfNone() {
    if (settling && !awaited.iterator().hasNext()) {
      ended.complete(null);
    }
  }
}
