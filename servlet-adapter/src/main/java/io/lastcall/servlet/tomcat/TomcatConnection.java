package io.lastcall.servlet.tomcat;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.servlet.websocket.Upgrading;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.spi.FirstRequest;
import io.lastcall.spi.Linger;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * One connection, as a drain sees it. A worker of Tomcat's holds the connection's lock while it is
 * at work on it. The connection is idle if none does, no byte has arrived that is still unread, its
 * first request is not awaited, and it has no processor: all requests so far are answered.
 *
 * <p>No connection falls between a worker and {@link #settle}. A worker that is done marks the
 * connection as resting, reads whether the server settles, and unlocks. Settle says so, and then
 * tries the lock. If it fails, either the worker has not read it yet, and then closes the
 * connection; or the connection rests, and settle waits for those last instructions.
 */
final class TomcatConnection implements HttpConnection, WebSocketSessions.Connection {
  private final SocketWrapperBase<NioChannel> wrapper;
  private final TomcatSocket socket;
  private final DrainingEndpoint endpoint;
  private final FirstRequest firstRequest;
  private final AcceptedConnection accepted;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private volatile @Nullable DrainingHttp2Handler http2;

  /** Set by a worker that is done while the server leaves. */
  private volatile boolean resting;

  /** Its request has become a stream. */
  private volatile boolean streaming;

  /** A request is with Tomcat's adapter: a valve, the filter or an application has it. */
  private volatile boolean serving;

  /** Its request is a probe whose answer waits, maybe for the end of DRAIN. */
  private volatile boolean probed;

  /** It has left HTTP, and DRAIN need not wait for what is opened on it. */
  private volatile boolean opened;

  // Only workers, one at a time, use what follows.
  private @Nullable Thread worker;
  private boolean requested;
  private boolean upgrading;

  TomcatConnection(SocketWrapperBase<NioChannel> wrapper, DrainingEndpoint endpoint) {
    this.wrapper = wrapper;
    this.socket = new TomcatSocket(wrapper);
    this.endpoint = endpoint;
    this.firstRequest = endpoint.firstRequests.get();
    this.accepted = endpoint.gate().accepted(socket.remoteAddress());
  }

  /** Returns this connection as the gate knows it. */
  AcceptedConnection accepted() {
    return accepted;
  }

  SocketWrapperBase<NioChannel> wrapper() {
    return wrapper;
  }

  DrainingEndpoint endpoint() {
    return endpoint;
  }

  /**
   * A worker takes it up, with its lock held. Returns false if it is at it already: at the end of a
   * chunked body that is read without blocking, Tomcat looks for the next event from within the
   * request.
   */
  boolean taken() {
    if (worker == Thread.currentThread()) {
      return false;
    }
    worker = Thread.currentThread();
    if (!requested && wrapper.getSocket() instanceof SecureNioChannel) {
      // Not before the handshake, request or not.
      firstRequest.awaitAnew();
    }
    if (resting) {
      resting = false;
    }
    return true;
  }

  /** The worker has parsed a head: the request before it on the connection, if any, has ended. */
  void requested() {
    if (!requested) {
      requested = true;
      firstRequest.arrived();
    }
    if (streaming) {
      streaming = false;
    }
    if (probed) {
      probed = false;
    }
  }

  /** A worker hands a request to Tomcat's adapter, or has it back. */
  void serving(boolean on) {
    serving = on;
  }

  void probed() {
    probed = true;
  }

  /** The worker is done for now, and about to unlock. */
  void done(SocketState state) {
    worker = null;
    if (streaming && state != SocketState.LONG) {
      streaming = false;
    }
    if (upgrading) {
      upgrading = false;
      Upgrading.end();
      opened = true;
    }
    if (state == SocketState.CLOSED) {
      return;
    }
    if (endpoint.gate().isEnding()) {
      resting = true;
    }
    if (endpoint.awaited().isSettling()) {
      endIfIdle();
      excludeIfLongLived();
    }
  }

  void closed() {
    ended.complete(null);
    endpoint.awaited().remove(this);
  }

  void speaksHttp2(DrainingHttp2Handler handler) {
    requested();
    http2 = handler;
  }

  /** On its worker, before any code of the new protocol runs. */
  void upgrade() {
    if (http2 == null) {
      upgrading = true;
      Upgrading.begin(this);
    }
  }

  /** Its request has become a stream, maybe on a thread of the application. */
  void becameLongLived() {
    streaming = true;
    if (endpoint.awaited().isSettling()) {
      endpoint.awaited().remove(this);
    }
  }

  /** Once the listener is closed: ends it if it is idle, and excludes what need not be awaited. */
  void settle() {
    closeIfIdle();
    if (wrapper.isClosed() || socket.isHalfClosed()) {
      endpoint.awaited().remove(this);
    }
    excludeIfLongLived();
  }

  private void excludeIfLongLived() {
    DrainingHttp2Handler handler = http2;
    if (handler == null ? streaming || opened : handler.leaving.isExcluded()) {
      endpoint.awaited().remove(this);
    }
  }

  @Override
  public void announceClose() {
    leaveHttp2();
  }

  @Override
  public void closeIfIdle() {
    // One that is half-closed rests for ever, and who discards its input has the lock.
    if (!socket.isHalfClosed() && !leaveHttp2()) {
      socket.runLocked(this::endIfIdle, resting);
    }
  }

  @Override
  public void closeIfIdleAndUnannounced() {
    if (http2 == null) {
      closeIfIdle();
    }
  }

  /** Without the lock, which a busy one's worker holds. Returns whether it is one of HTTP/2. */
  private boolean leaveHttp2() {
    DrainingHttp2Handler handler = http2;
    if (handler == null || wrapper.isClosed()) {
      return false;
    }
    handler.leaving.announceClose();
    return true;
  }

  @Override
  public boolean isAnswering() {
    DrainingHttp2Handler handler = http2;
    return handler == null
        ? endpoint.awaited().contains(this)
            && (socket.isWriting() || (isServing() && !isClientGone()))
        : !wrapper.isClosed() && handler.isAnswering();
  }

  /**
   * Returns whether a request is at work, the filter's or not: an application without the filter, a
   * valve or an error page may have it. Without the lock, which its worker holds.
   */
  private boolean isServing() {
    return !probed
        && (serving
            || (wrapper.getCurrentProcessor() instanceof Processor waiting && waiting.isAsync()));
  }

  @Override
  public CompletionStage<?> ended() {
    return ended;
  }

  @Override
  public void opened() {
    opened = true;
    endpoint.awaited().remove(this);
  }

  @Override
  public void closeSession(Closeable session) throws IOException {
    socket.closeSession(session);
  }

  /** Without the lock, which its worker holds. HTTP/2 reads on by itself. */
  boolean isClientGone() {
    return http2 == null && !upgrading && !opened && (wrapper.isClosed() || socket.isInputOver());
  }

  /** With the lock held, by the caller or by Tomcat for it. */
  private void endIfIdle() {
    if (leaveHttp2()) {
      return;
    }
    try {
      if (!wrapper.isClosed()
          && !socket.isHalfClosed()
          && wrapper.getCurrentProcessor() == null
          && !firstRequest.isAwaited()
          && socket.hasNoInput()) {
        halfClose();
      }
    } catch (IOException gone) {
      wrapper.close();
    }
  }

  /** Closed once the peer has had time to close, too. */
  void halfClose() throws IOException {
    endpoint.awaited().remove(this);
    socket.halfClose();
    endpoint.schedule(Linger.LIMIT, wrapper::close);
  }

  /**
   * What Tomcat is about to close, after a response that says close, is half-closed and read on
   * instead while the server leaves. Only where Tomcat speaks HTTP/1, not where a handshake has
   * failed; with the lock held.
   *
   * @return whether the peer may still send
   */
  boolean linger() {
    if (!endpoint.gate().isEnding()
        || wrapper.isClosed()
        || !wrapper.getSocket().isHandshakeComplete()
        || upgrading
        || opened
        || http2 != null) {
      return false;
    }
    try {
      halfClose();
      return socket.discardInput();
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Discards what comes on a half-closed connection: the peer's FIN, or a request that crossed
   * ours. That must not run, since nobody could answer it.
   *
   * @return null if it is not half-closed, or reads on by itself, as HTTP/2 does
   */
  @Nullable SocketState discard(SocketEvent event) {
    if (!socket.isHalfClosed()
        || (wrapper.getCurrentProcessor() instanceof Processor processor
            && processor.isUpgrade())) {
      return null;
    }
    return event == SocketEvent.OPEN_READ && socket.discardInput()
        ? SocketState.OPEN
        : SocketState.CLOSED;
  }
}
