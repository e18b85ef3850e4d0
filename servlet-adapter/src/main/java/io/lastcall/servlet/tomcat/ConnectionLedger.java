package io.lastcall.servlet.tomcat;

import io.lastcall.inflight.RequestGate;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.channels.SocketChannel;
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
 * <p>No connection falls between the two, by the order of what each does:
 *
 * <ul>
 *   <li>A worker that is done adds the connection to {@code resting}, reads {@code settling},
 *       unlocks the connection (Tomcat locks it in {@code SocketProcessorBase.run}).
 *   <li>{@link #settle} writes {@code settling}, tries the lock.
 * </ul>
 *
 * <p>If the try fails, either the worker has not read {@code settling} yet, and then closes the
 * connection; or the connection is in {@code resting}, and settle tries again.
 */
final class ConnectionLedger {
  private final FirstRequests firstRequests;
  private final Set<SocketWrapperBase<NioChannel>> halfClosed = ConcurrentHashMap.newKeySet();
  private final Set<SocketWrapperBase<NioChannel>> owed = ConcurrentHashMap.newKeySet();
  private final Set<SocketWrapperBase<NioChannel>> resting = ConcurrentHashMap.newKeySet();

  /** Whose worker is inside a request that has become a stream, where Tomcat shows it to nobody. */
  private final Set<SocketWrapperBase<NioChannel>> streaming = ConcurrentHashMap.newKeySet();

  /** Whose worker has left the filter, and may be writing an error page. */
  private final Set<SocketWrapperBase<NioChannel>> errorPages = ConcurrentHashMap.newKeySet();

  /**
   * Upgraded to something other than HTTP: Tomcat cannot be asked that during a callback. Each with
   * whether what it carries is open: its first callback is over, or has said so.
   */
  private final Map<SocketWrapperBase<?>, Boolean> upgraded = new ConcurrentHashMap<>();

  private final Map<SocketWrapperBase<NioChannel>, DrainingHttp2Handler> http2 =
      new ConcurrentHashMap<>();

  private final ConnectionEnds ends = new ConnectionEnds();
  private final CompletableFuture<Void> settled = new CompletableFuture<>();

  /** Set once, before the shutdown begins, by whoever drains the server. */
  private volatile @Nullable RequestGate gate;

  /** The listener is closed and {@code owed} is complete. */
  private volatile boolean settling;

  ConnectionLedger(FirstRequests firstRequests) {
    this.firstRequests = firstRequests;
  }

  FirstRequests firstRequests() {
    return firstRequests;
  }

  /** Before any other thread may know {@code channel}. */
  void accepted(SocketChannel channel) {
    RequestGate known = gate;
    firstRequests.accepted(channel, known == null ? -1 : known.acceptTime());
  }

  /**
   * Returns when the request's connection was accepted: for HTTP/1 known of its first request
   * alone, which is enough.
   */
  long acceptTime(HttpServletRequest request) {
    return request.getAttribute(ExchangeCounter.ATTRIBUTE) instanceof ExchangeCounter.Exchange http2
        ? http2.acceptTime()
        : CurrentWork.acceptTime(this);
  }

  boolean isHalfClosed(SocketWrapperBase<NioChannel> wrapper) {
    return isEnding() && halfClosed.contains(wrapper);
  }

  void halfClosed(SocketWrapperBase<NioChannel> wrapper) {
    halfClosed.add(wrapper);
    drop(wrapper);
  }

  /**
   * A worker takes up {@code wrapper}, with its lock held. Returns false if it is at it already: at
   * the end of a chunked body that is read without blocking, Tomcat looks for the next event from
   * within the request, which is still to be answered.
   */
  boolean taken(SocketWrapperBase<NioChannel> wrapper) {
    if (!CurrentWork.begin(wrapper, this)) {
      return false;
    }
    firstRequests.taken(wrapper);
    if (isEnding()) {
      resting.remove(wrapper);
    }
    return true;
  }

  /** The worker on this thread is about to parse heads, all of them into {@code request}. */
  void parsing(Request request) {
    if (mayCloseConnections()) {
      CurrentWork.parses(request);
    }
  }

  /** This thread has parsed a head: the request before it on the connection, if any, is over. */
  void parsed() {
    if (!firstRequests.isEmpty() || !streaming.isEmpty() || !errorPages.isEmpty()) {
      SocketWrapperBase<NioChannel> wrapper = CurrentWork.on(this);
      if (wrapper != null) {
        CurrentWork.cameBy(firstRequests.over(wrapper));
        requestOver(wrapper);
      }
    }
  }

  private void requestOver(SocketWrapperBase<NioChannel> wrapper) {
    if (!streaming.isEmpty()) {
      streaming.remove(wrapper);
    }
    if (!errorPages.isEmpty()) {
      errorPages.remove(wrapper);
    }
  }

  /** A worker is done with {@code wrapper} for now, and about to let go of its lock. */
  void done(SocketWrapperBase<NioChannel> wrapper, SocketState state) {
    CurrentWork.end();
    requestOver(wrapper);
    if (!upgraded.isEmpty()) {
      upgraded.replace(wrapper, true);
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

  /** Completes when {@code wrapper} is gone. */
  CompletionStage<?> ended(SocketWrapperBase<NioChannel> wrapper) {
    return ends.of(wrapper);
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

  boolean mayCloseConnections() {
    RequestGate known = gate;
    return known != null && known.mayCloseConnections();
  }

  boolean isEnding() {
    RequestGate known = gate;
    return known != null && known.isEnding();
  }

  /** Before the channel is closed. */
  void closed(SocketWrapperBase<NioChannel> wrapper) {
    firstRequests.over(wrapper);
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

  /**
   * The connection may be closed by another thread already.
   *
   * @return when it was accepted
   */
  long speaksHttp2(SocketWrapperBase<NioChannel> wrapper, DrainingHttp2Handler handler) {
    long acceptTime = firstRequests.over(wrapper);
    http2.put(wrapper, handler);
    if (wrapper.isClosed()) {
      http2.remove(wrapper);
    }
    return acceptTime;
  }

  @Nullable DrainingHttp2Handler http2(SocketWrapperBase<NioChannel> wrapper) {
    return http2.get(wrapper);
  }

  /**
   * A request has become a stream, maybe on a thread of the application, maybe on a connector that
   * is not ours. HTTP/1: its connection is owed nothing from now on. HTTP/2: it is owed nothing
   * once all other streams are answered and the client has acknowledged the GOAWAY.
   */
  void longLived(HttpServletRequest request) {
    if (request.getAttribute(ExchangeCounter.ATTRIBUTE) instanceof ExchangeCounter.Exchange http2) {
      http2.becameLongLived();
      return;
    }
    String id = request.getServletConnection().getConnectionId();
    SocketWrapperBase<NioChannel> current = CurrentWork.on(this);
    if (current != null && TomcatConnection.id(current).equals(id)) {
      streaming.add(current);
    }
    if (settling) {
      owed.stream().filter(wrapper -> TomcatConnection.id(wrapper).equals(id)).forEach(this::drop);
    }
  }

  /** The request of this thread, if it is one of HTTP/1, may still get an error page from it. */
  void errorPageToCome() {
    SocketWrapperBase<NioChannel> wrapper = CurrentWork.on(this);
    if (wrapper != null) {
      errorPages.add(wrapper);
    }
  }

  boolean isErrorPageToCome(SocketWrapperBase<NioChannel> wrapper) {
    return errorPages.contains(wrapper);
  }

  /** On the connection's worker, in front of any code of the new protocol's. */
  void upgraded(SocketWrapperBase<?> wrapper) {
    if (!http2.containsKey(wrapper)) {
      upgraded.put(wrapper, false);
    }
  }

  boolean isUpgraded(SocketWrapperBase<NioChannel> wrapper) {
    return upgraded.containsKey(wrapper);
  }

  void opened(SocketWrapperBase<NioChannel> wrapper) {
    upgraded.replace(wrapper, true);
    drop(wrapper);
  }

  /** Whether it is upgraded, and what it carries is open. */
  boolean isOpened(SocketWrapperBase<NioChannel> wrapper) {
    return upgraded.getOrDefault(wrapper, false);
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
