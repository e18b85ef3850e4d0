package io.lastcall.servlet.jetty;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.UpgradedConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * <p>It is idle if its {@link ReadTurn} can be taken, no byte has arrived that nobody has read, and
 * what was read is whole requests, all answered. As long as the turn is held nobody else can find
 * out otherwise.
 */
final class DrainingEndPoint extends LingeringEndPoint
    implements HttpConnection, UpgradedConnection {
  private final ConnectionLedger ledger;
  private final Received received;
  private final long acceptTime;
  private final ReadTurn turn = new ReadTurn(getFillInterest(), this::review);

  /** Ids of the requests that have become streams; some maybe a little longer than these last. */
  private final Set<String> streaming = ConcurrentHashMap.newKeySet();

  /** Ids of the requests that nobody counts and that may be getting an error page. */
  private final Set<String> errorPages = ConcurrentHashMap.newKeySet();

  private volatile @Nullable DrainingSession http2;

  /** Half-closed by us: what still comes is dropped. */
  private volatile boolean ended;

  DrainingEndPoint(
      SocketChannel channel,
      ManagedSelector selector,
      SelectionKey key,
      Scheduler scheduler,
      ConnectionLedger ledger) {
    super(channel, selector, key, scheduler);
    this.ledger = ledger;
    this.received = new Received(channel, ledger.awaitFirstRequest());
    this.acceptTime = ledger.acceptTime();
  }

  long acceptTime() {
    return acceptTime;
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

  ConnectionLedger ledger() {
    return ledger;
  }

  /**
   * Jetty closes a connection behind a WebSocket's close frame, answered or not. It cannot where
   * its client takes nothing in; and it does not await the next byte while a callback runs.
   */
  @Override
  public boolean isAtRest() {
    return getWriteFlusher().isPending() && isFillInterested();
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
              received.handshake();
            }
          });
    }
  }

  /**
   * What Jetty does; but what the connection before has read of TLS, behind a PROXY header say, may
   * end within a record.
   */
  @Override
  public void upgrade(Connection next) {
    Connection last = getConnection();
    ByteBuffer unread = last instanceof Connection.UpgradeFrom from ? from.onUpgradeFrom() : null;
    last.onClose(null);
    last.getEndPoint().setConnection(next);
    if (unread != null && unread.hasRemaining()) {
      if (next instanceof SslConnection) {
        received.tls(unread, unread.remaining());
      }
      if (!(next instanceof Connection.UpgradeTo to)) {
        throw new IllegalStateException("Cannot upgrade: " + next + " takes no bytes");
      }
      to.onUpgradeTo(unread);
    }
    next.onOpen();
  }

  void requested() {
    received.request();
  }

  @Override
  public void opened() {
    ledger.drop(getChannel());
  }

  void streamBegan(String id) {
    streaming.add(id);
    DrainingSession session = http2;
    if (session != null) {
      session.stepOn();
    } else {
      dropIfLongLived();
    }
  }

  void streamEnded(String id) {
    streaming.remove(id);
  }

  void errorPageToCome(String id) {
    errorPages.add(id);
  }

  void errorPageOver(String id) {
    errorPages.remove(id);
  }

  boolean isLongLived(String id) {
    return streaming.contains(id);
  }

  /** With HTTP/2 not before the client knows that there will be no more than what runs. */
  void dropIfLongLived() {
    DrainingSession session = http2;
    if (ledger.isSettling() && (session == null ? !streaming.isEmpty() : session.isLongLived())) {
      ledger.drop(getChannel());
    }
  }

  @Override
  public void announceClose() {
    DrainingSession session = http2;
    if (session != null) {
      session.announceClose();
    }
  }

  @Override
  public void closeIfIdle() {
    DrainingSession session = http2;
    if (session != null) {
      session.announceClose();
      session.endIfIdle();
      return;
    }
    turn.take();
  }

  @Override
  public boolean isAnswering() {
    DrainingSession session = http2;
    return ledger.isOwed(getChannel())
        && (!errorPages.isEmpty()
            || getWriteFlusher().isPending()
            || (session != null && session.isAnswering()));
  }

  /** With the turn held; given back whatever happens, or no request would be read any more. */
  private void review(Callback reader) {
    try {
      if (received.isWhole(getConnection())) {
        end();
      }
    } catch (IOException | RuntimeException gone) {
      close();
    } finally {
      super.tryFillInterested(reader);
      if (!isOpen()) {
        // Closed while the turn was in our hands: nobody has told it.
        getFillInterest().onClose();
      }
    }
  }

  /** A FIN, behind a close_notify with TLS. */
  void end() {
    ended = true;
    EndPoint highest =
        getConnection() instanceof SslConnection tls && received.any()
            ? tls.getSslEndPoint()
            : this;
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
    if (filled > 0) {
      received.bytes(getConnection(), buffer, filled);
    }
    return filled;
  }

  /** A write has failed: nothing of the response will leave any more. */
  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    try {
      return super.flush(buffers);
    } catch (IOException gone) {
      ledger.drop(getChannel());
      throw gone;
    }
  }

  @Override
  public void fillInterested(Callback callback) {
    super.fillInterested(turn.of(callback));
    rests();
  }

  @Override
  public boolean tryFillInterested(Callback callback) {
    boolean registered = super.tryFillInterested(turn.of(callback));
    rests();
    return registered;
  }

  private void rests() {
    if (ledger.isSettling() && !ended) {
      closeIfIdle();
    }
  }

  /** Also Jetty's own, behind a response that says close: it has left by then. */
  @Override
  protected void doShutdownOutput() {
    super.doShutdownOutput();
    ledger.drop(getChannel());
  }

  @Override
  boolean mayLinger() {
    return ledger.mayCloseConnections();
  }

  @Override
  public void doClose() {
    ledger.drop(getChannel());
    super.doClose();
  }
}
