package io.lastcall.servlet.jetty;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.spi.EndOfInput;
import io.lastcall.spi.FirstRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * One connection, as a drain sees it.
 *
 * <p>It is idle if its {@link ReadLock} can be taken, no byte has arrived that is still unread, and
 * what was read is whole requests, all answered. As long as the lock is held that stays so.
 *
 * <p>No connection falls between {@link #settle} and its own next step: a connection that rests
 * registers for its next byte and then reads whether the server settles; the connector says so, and
 * then reviews every end point. One that is not there yet registers later.
 */
final class DrainingEndPoint extends LingeringEndPoint
    implements HttpConnection, WebSocketSessions.Connection {
  private final LastcallConnector connector;
  private final FirstRequest firstRequest;
  private final AcceptedConnection accepted;
  private final ReadLock readLock = new ReadLock(getFillInterest(), this::review);

  /** Ids of the requests that have become streams; some maybe a little longer than these last. */
  private final Set<String> streaming = ConcurrentHashMap.newKeySet();

  private volatile @Nullable DrainingSession http2;

  /** Any byte has come. */
  private volatile boolean received;

  /** Its request is a probe whose answer waits, maybe for the end of DRAIN. */
  private volatile boolean probed;

  /** Half-closed by us: what still comes is dropped. */
  private volatile boolean ended;

  DrainingEndPoint(
      SocketChannel channel,
      ManagedSelector selector,
      SelectionKey key,
      Scheduler scheduler,
      LastcallConnector connector) {
    super(channel, selector, key, scheduler);
    this.connector = connector;
    this.firstRequest = connector.firstRequests.get();
    this.accepted = connector.gate().accepted(getRemoteSocketAddress());
  }

  /** Returns this connection as the gate knows it. */
  AcceptedConnection accepted() {
    return accepted;
  }

  /** Returns what is below {@code endPoint}, TLS say; null if that is no connector's of ours. */
  static @Nullable DrainingEndPoint of(EndPoint endPoint) {
    EndPoint lowest = endPoint;
    // By class first: to ask it for an interface that it lacks searches a list.
    while (!(lowest instanceof DrainingEndPoint) && lowest instanceof EndPoint.Wrapper wrapper) {
      lowest = wrapper.unwrap();
    }
    return lowest instanceof DrainingEndPoint draining ? draining : null;
  }

  LastcallConnector connector() {
    return connector;
  }

  boolean isSettling() {
    return connector.awaited().isSettling();
  }

  void speaks(DrainingSession session) {
    http2 = session;
    rests();
  }

  @Override
  public void setConnection(Connection connection) {
    super.setConnection(connection);
    if (connection instanceof SslConnection tls) {
      tls.addHandshakeListener(
          new SslHandshakeListener() {
            @Override
            public void handshakeSucceeded(Event event) {
              firstRequest.awaitAnew();
            }
          });
    }
  }

  void requested() {
    firstRequest.arrived();
    if (probed) {
      probed = false;
    }
  }

  void probed() {
    probed = true;
  }

  @Override
  public void opened() {
    exclude();
  }

  /** DRAIN does not wait for it any more. */
  void exclude() {
    connector.awaited().remove(getChannel());
  }

  void streamBegan(String id) {
    streaming.add(id);
    DrainingSession session = http2;
    if (session != null) {
      session.leaving.check();
    } else if (isSettling()) {
      exclude();
    }
  }

  void streamEnded(String id) {
    streaming.remove(id);
  }

  boolean isLongLived(String id) {
    return streaming.contains(id);
  }

  /** Once the listener is closed: ends it if it is idle, and excludes what need not be awaited. */
  void settle() {
    closeIfIdle();
    DrainingSession session = http2;
    if (session == null ? !streaming.isEmpty() : session.leaving.isExcluded()) {
      exclude();
    }
  }

  @Override
  public void announceClose() {
    DrainingSession session = http2;
    if (session != null) {
      session.leaving.announceClose();
    }
  }

  @Override
  public void closeIfIdle() {
    DrainingSession session = http2;
    if (session != null) {
      session.leaving.announceClose();
    } else {
      readLock.take();
    }
  }

  @Override
  public void closeIfIdleAndUnannounced() {
    if (http2 == null) {
      closeIfIdle();
    }
  }

  @Override
  public boolean isAnswering() {
    DrainingSession session = http2;
    return connector.awaited().contains(getChannel())
        && (getWriteFlusher().isPending()
            || (session == null ? isServing() && !isClientGone() : session.isAnswering()));
  }

  /**
   * Returns whether a request is at work, the filter's or not: a handler outside of the application
   * or an error page may have it.
   */
  private boolean isServing() {
    return !probed
        && JettyInternals.parser(getConnection()).filter(DrainingEndPoint::hasHead).isPresent();
  }

  private static boolean hasHead(HttpParser parser) {
    return parser.inContentState() || parser.isComplete();
  }

  /** HTTP/2 reads on by itself. */
  boolean isClientGone() {
    return http2 == null && EndOfInput.isReached(getChannel());
  }

  /** With the lock held; given back whatever happens, or no request would be read any more. */
  private void review(Callback reader) {
    try {
      if (isWhole()) {
        end();
      }
    } catch (IOException | RuntimeException gone) {
      close();
    } finally {
      super.tryFillInterested(reader);
      if (!isOpen()) {
        // Closed while the lock was held here: the reader has not heard of it.
        getFillInterest().onClose();
      }
    }
  }

  /** Returns whether nothing of a request is here or on its way up. With the lock held. */
  private boolean isWhole() throws IOException {
    if (getConnection() instanceof SslConnection tls
        && received
        && (isWithinHandshake(tls.getSSLEngine()) || !tls.getSslEndPoint().isFillInterested())) {
      return false;
    }
    // Asks the kernel; also where the channel is registered with a selector, on JDK 17 to 25.
    return JettyInternals.parser(getConnection()).map(HttpParser::isStart).orElse(!received)
        && !firstRequest.isAwaited()
        && getChannel().socket().getInputStream().available() == 0;
  }

  private static boolean isWithinHandshake(SSLEngine engine) {
    return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
        || "NONE".equals(engine.getSession().getProtocol());
  }

  /** A FIN, with TLS after a close_notify. */
  void end() {
    ended = true;
    EndPoint highest =
        getConnection() instanceof SslConnection tls && received ? tls.getSslEndPoint() : this;
    highest.shutdownOutput();
  }

  /**
   * A request that crossed our FIN must not run, since nobody could answer it; and it must be read,
   * or the reset that follows takes the former response with it where the client has not read it.
   */
  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    int before = buffer.remaining();
    int filled = super.fill(buffer);
    while (ended && filled > 0) {
      buffer.limit(buffer.position() + before);
      filled = super.fill(buffer);
    }
    if (filled > 0 && !received) {
      received = true;
    }
    return filled;
  }

  /** A write has failed: nothing of the response will leave any more. */
  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    try {
      return super.flush(buffers);
    } catch (IOException gone) {
      exclude();
      throw gone;
    }
  }

  @Override
  public void fillInterested(Callback callback) {
    super.fillInterested(readLock.of(callback));
    rests();
  }

  @Override
  public boolean tryFillInterested(Callback callback) {
    boolean registered = super.tryFillInterested(readLock.of(callback));
    rests();
    return registered;
  }

  private void rests() {
    if (isSettling() && !ended) {
      closeIfIdle();
    }
  }

  /** Also Jetty's own, after a response that says close: it has left by then. */
  @Override
  protected void doShutdownOutput() {
    super.doShutdownOutput();
    exclude();
  }

  @Override
  boolean mayLinger() {
    return connector.gate().mayCloseConnections();
  }

  @Override
  public void doClose() {
    exclude();
    super.doClose();
  }
}
