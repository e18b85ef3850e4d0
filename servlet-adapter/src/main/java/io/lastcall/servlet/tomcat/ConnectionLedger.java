package io.lastcall.servlet.tomcat;

import io.lastcall.connection.FirstRequest;
import io.lastcall.inflight.RequestGate;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Which connections are still owed an answer while a server drains. Costs a few volatile reads per
 * request before that.
 *
 * <p>{@link #settle} adds every open connection and then says so by {@code settling}; then it
 * closes the idle ones and drops those that are closed or owed nothing. From then on each event
 * drops one, and the one that leaves nobody completes the future.
 *
 * <p>No connection falls between the two. A worker that is done first makes its connection rest,
 * then reads {@code settling}, then lets go of the connection's lock (Tomcat holds it in {@code
 * SocketProcessorBase.run}); settle writes {@code settling} and then tries the lock. If it fails,
 * either the worker has yet to read {@code settling} and closes the connection itself, or the
 * connection rests, and settle tries again.
 */
final class ConnectionLedger {
  /** What the thread works on; in {@code SocketProcessorBase.run} that never nests. */
  private static final ThreadLocal<Work> CURRENT = ThreadLocal.withInitial(Work::new);

  /**
   * Connections that no worker has taken up yet; from the accept on, before they have a wrapper.
   */
  private final Map<SocketChannel, FirstRequest> unused = new ConcurrentHashMap<>();

  private final Duration patience;
  private final Set<SocketWrapperBase<NioChannel>> halfClosed = ConcurrentHashMap.newKeySet();
  private final Set<SocketWrapperBase<NioChannel>> owed = ConcurrentHashMap.newKeySet();
  private final Set<SocketWrapperBase<NioChannel>> resting = ConcurrentHashMap.newKeySet();

  /** Whose worker is inside a request that has become a stream, where Tomcat shows it to nobody. */
  private final Set<SocketWrapperBase<NioChannel>> streaming = ConcurrentHashMap.newKeySet();

  /**
   * What speaks something else than HTTP, for good: Tomcat shows it to nobody within a callback.
   */
  private final Set<SocketWrapperBase<?>> upgraded = ConcurrentHashMap.newKeySet();

  private final Map<SocketWrapperBase<NioChannel>, DrainingHttp2Handler> http2 =
      new ConcurrentHashMap<>();

  private final ConnectionEnds ends = new ConnectionEnds();
  private final CompletableFuture<Void> settled = new CompletableFuture<>();

  /** Set once, before the shutdown begins, by whoever drains the server. */
  private volatile @Nullable RequestGate gate;

  /** The listener is closed and {@code owed} is complete. */
  private volatile boolean settling;

  /** Stays with its thread: to set and remove a value would cost each request a weak reference. */
  private static final class Work {
    private @Nullable SocketWrapperBase<NioChannel> wrapper;

    /** Of the connector that the connection has come by. */
    private @Nullable ConnectionLedger ledger;

    /** Known if responses may say close. */
    private @Nullable Request request;
  }

  /**
   * @param patience how long a connection is kept for its first request
   */
  ConnectionLedger(Duration patience) {
    this.patience = patience;
  }

  /** Before any other thread may know {@code channel}. */
  void accepted(SocketChannel channel) {
    unused.put(channel, new FirstRequest(patience));
  }

  void refused(SocketChannel channel) {
    unused.remove(channel);
  }

  boolean isFirstRequestAwaited(SocketChannel channel) {
    FirstRequest first = unused.get(channel);
    return first != null && first.isAwaited();
  }

  boolean isHalfClosed(SocketWrapperBase<NioChannel> wrapper) {
    return isEnding() && halfClosed.contains(wrapper);
  }

  void halfClosed(SocketWrapperBase<NioChannel> wrapper) {
    halfClosed.add(wrapper);
    drop(wrapper);
  }

  /** A worker takes up {@code wrapper}, with its lock held. */
  void taken(SocketWrapperBase<NioChannel> wrapper) {
    Work work = CURRENT.get();
    work.wrapper = wrapper;
    work.ledger = this;
    used(wrapper);
    if (isEnding()) {
      resting.remove(wrapper);
    }
  }

  private void used(SocketWrapperBase<NioChannel> wrapper) {
    if (!unused.isEmpty()) {
      SocketChannel channel = wrapper.getSocket().getIOChannel();
      if (channel != null) { // null: closed, on another thread
        unused.remove(channel);
      }
    }
  }

  /** The worker on this thread is about to parse heads, all of them into {@code request}. */
  void parsing(Request request) {
    RequestGate known = gate;
    if (known != null && known.mayCloseConnections()) {
      CURRENT.get().request = request;
    }
  }

  /** This thread has parsed a head: the request before it on the connection is over. */
  void parsed() {
    if (!streaming.isEmpty()) {
      SocketWrapperBase<NioChannel> wrapper = CURRENT.get().wrapper;
      if (wrapper != null) {
        streaming.remove(wrapper);
      }
    }
  }

  /** Whether the head that this thread has just parsed is known, and asks for no upgrade. */
  boolean currentStaysHttp() {
    Request request = CURRENT.get().request;
    return request != null && request.getHeader("Upgrade") == null;
  }

  /** A worker is done with {@code wrapper} for now, and about to let go of its lock. */
  void done(SocketWrapperBase<NioChannel> wrapper, SocketState state) {
    Work work = CURRENT.get();
    work.wrapper = null;
    work.ledger = null;
    work.request = null;
    if (!streaming.isEmpty()) {
      streaming.remove(wrapper);
    }
    if (state == SocketState.CLOSED) {
      return;
    }
    if (isEnding()) {
      resting.add(wrapper);
    }
    if (settling) {
      review(wrapper);
    }
  }

  /** On a thread that a worker has taken a connection up with: completes when that is gone. */
  static CompletionStage<?> currentEnded() {
    Work work = CURRENT.get();
    if (work.wrapper == null || work.ledger == null) {
      throw new IllegalStateException("No connection is being processed on this thread");
    }
    return work.ledger.ends.of(work.wrapper);
  }

  boolean isSettling() {
    return settling;
  }

  boolean isResting(SocketWrapperBase<NioChannel> wrapper) {
    return resting.contains(wrapper);
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

  private boolean isEnding() {
    RequestGate known = gate;
    return known != null && known.isEnding();
  }

  /** Before the channel is closed. */
  void closed(SocketWrapperBase<NioChannel> wrapper) {
    used(wrapper);
    ends.closed(wrapper);
    http2.remove(wrapper);
    upgraded.remove(wrapper);
    if (isEnding()) {
      halfClosed.remove(wrapper);
      resting.remove(wrapper);
      drop(wrapper);
    }
  }

  /**
   * Waits for nobody: completes when none of {@code open}, the last connections there will be, is
   * owed an answer any more.
   */
  CompletionStage<Void> settle(Collection<SocketWrapperBase<NioChannel>> open) {
    owed.addAll(open);
    settling = true;
    for (SocketWrapperBase<NioChannel> wrapper : open) {
      TomcatConnection connection = new TomcatConnection(wrapper, this);
      connection.closeIfIdle();
      if (wrapper.isClosed() || isHalfClosed(wrapper) || connection.isLongLived()) {
        drop(wrapper);
      }
    }
    completeIfNobody();
    return settled;
  }

  private void review(SocketWrapperBase<NioChannel> wrapper) {
    TomcatConnection connection = new TomcatConnection(wrapper, this);
    connection.endIfIdle();
    if (connection.isLongLived()) {
      drop(wrapper);
    }
  }

  /** The connection may be closed by another thread already. */
  void speaksHttp2(SocketWrapperBase<NioChannel> wrapper, DrainingHttp2Handler handler) {
    http2.put(wrapper, handler);
    if (wrapper.isClosed()) {
      http2.remove(wrapper);
    }
  }

  @Nullable DrainingHttp2Handler http2(SocketWrapperBase<NioChannel> wrapper) {
    return http2.get(wrapper);
  }

  /**
   * A request has become a stream, maybe on a thread of the application, maybe on a connector that
   * is not ours. Its connection is owed no answer from now on; with HTTP/2 not before the others on
   * it have theirs, and the client knows that there will be no more.
   */
  void longLived(HttpServletRequest request) {
    if (request.getAttribute(ExchangeCounter.ATTRIBUTE) instanceof ExchangeCounter.Exchange http2) {
      http2.becameLongLived();
      return;
    }
    String id = request.getServletConnection().getConnectionId();
    Work work = CURRENT.get();
    if (work.ledger == this
        && work.wrapper != null
        && TomcatConnection.id(work.wrapper).equals(id)) {
      streaming.add(work.wrapper);
    }
    if (settling) {
      owed.stream().filter(wrapper -> TomcatConnection.id(wrapper).equals(id)).forEach(this::drop);
    }
  }

  /** On the connection's worker, in front of any code of the new protocol's. */
  void upgraded(SocketWrapperBase<?> wrapper) {
    if (!http2.containsKey(wrapper)) {
      upgraded.add(wrapper);
      drop(wrapper);
    }
  }

  boolean isUpgraded(SocketWrapperBase<NioChannel> wrapper) {
    return upgraded.contains(wrapper);
  }

  boolean isStreaming(SocketWrapperBase<NioChannel> wrapper) {
    return streaming.contains(wrapper);
  }

  boolean isOwed(SocketWrapperBase<NioChannel> wrapper) {
    return owed.contains(wrapper);
  }

  /** Nobody is owed an answer on {@code wrapper}. */
  void drop(SocketWrapperBase<?> wrapper) {
    if (settling && owed.remove(wrapper)) {
      completeIfNobody();
    }
  }

  private void completeIfNobody() {
    if (owed.isEmpty()) {
      settled.complete(null);
    }
  }
}
