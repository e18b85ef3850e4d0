package io.lastcall.servlet.tomcat;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.LongLived;
import io.lastcall.servlet.UpgradedConnection;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * One connection, as a drain sees it.
 *
 * <p>Idle means, with the lock held, so that no worker is at it:
 *
 * <ol>
 *   <li>no byte has arrived that is still unread;
 *   <li>its first request is not awaited;
 *   <li>it has no processor: all requests read so far were whole, and are answered.
 * </ol>
 *
 * <p>Tomcat's poller may have handed it to a worker that waits for the lock; then a byte has
 * arrived, or the peer has ended it.
 */
final class TomcatConnection implements HttpConnection, UpgradedConnection {
  private final SocketWrapperBase<NioChannel> wrapper;
  private final ConnectionLedger ledger;

  TomcatConnection(SocketWrapperBase<NioChannel> wrapper, ConnectionLedger ledger) {
    this.wrapper = wrapper;
    this.ledger = ledger;
  }

  static String id(SocketWrapperBase<NioChannel> wrapper) {
    return wrapper.getServletConnection("http/1.1", "").getConnectionId();
  }

  @Override
  public void announceClose() {
    DrainingHttp2Handler http2 = ledger.http2(wrapper);
    if (http2 != null && !wrapper.isClosed()) {
      http2.announceClose();
    }
  }

  @Override
  public void closeIfIdle() {
    // One that is half-closed rests for ever, and who discards its input has the lock.
    if (ledger.isHalfClosed(wrapper) || leaveHttp2()) {
      return;
    }
    Lock lock = Tomcat10.lock(wrapper);
    boolean locked = lock.tryLock();
    while (!locked && ledger.isResting(wrapper)) {
      // Its worker is a few instructions from the unlock.
      Thread.onSpinWait();
      locked = lock.tryLock();
    }
    if (locked) {
      try {
        endIfIdle();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Without the lock, which a busy one's worker holds. Returns whether it is one of HTTP/2. */
  private boolean leaveHttp2() {
    DrainingHttp2Handler http2 = ledger.http2(wrapper);
    if (http2 == null || wrapper.isClosed()) {
      return false;
    }
    http2.announceClose();
    http2.endIfIdle();
    return true;
  }

  @Override
  public boolean isAnswering() {
    DrainingHttp2Handler http2 = ledger.http2(wrapper);
    return http2 == null
        ? ledger.isOwed(wrapper)
            && ((ledger.isErrorPageToCome(wrapper) && !isReading()) || isWriting())
        : !wrapper.isClosed() && http2.isAnswering();
  }

  /** A write that has to wait for its client asks the poller when it may go on. */
  private boolean isWriting() {
    return awaits(SelectionKey.OP_WRITE);
  }

  /** So does a read. Behind an error page Tomcat reads the rest of the body, to throw it away. */
  private boolean isReading() {
    return awaits(SelectionKey.OP_READ);
  }

  private boolean awaits(int readiness) {
    return wrapper instanceof NioSocketWrapper nio && nio.interestOpsHas(readiness);
  }

  @Override
  public CompletionStage<?> ended() {
    return ledger.ended(wrapper);
  }

  @Override
  public void opened() {
    ledger.opened(wrapper);
  }

  /** A worker holds the lock for as long as a callback of the application's runs on it. */
  @Override
  public boolean isAtRest() {
    Lock lock = Tomcat10.lock(wrapper);
    boolean free = lock.tryLock();
    if (free) {
      lock.unlock();
    }
    return free;
  }

  /** Tomcat's close waits until its frame has left: behind a write that waits, on a worker. */
  @Override
  public void tell(Close close) throws IOException {
    if (isWriting()) {
      wrapper.execute(() -> runUnheard(close));
    } else {
      close.run();
    }
  }

  private static void runUnheard(Close close) {
    try {
      close.run();
    } catch (IOException gone) {
      // So is the client.
    }
  }

  /** With the lock held, by the caller or by Tomcat for it. */
  void endIfIdle() {
    if (leaveHttp2()) {
      return;
    }
    SocketChannel channel = wrapper.getSocket().getIOChannel();
    try {
      if (!wrapper.isClosed()
          && channel != null
          && !ledger.isHalfClosed(wrapper)
          && wrapper.getCurrentProcessor() == null
          && !isWithinHandshake()
          && !ledger.firstRequests().isAwaited(channel)
          && hasNoInput(channel)) {
        ledger.halfClosed(wrapper);
        shutDownOutput(wrapper);
      }
    } catch (IOException gone) {
      wrapper.close();
    }
  }

  /** From the first byte of the client's hello to the handshake's end. */
  private boolean isWithinHandshake() {
    return wrapper.getSocket() instanceof SecureNioChannel channel
        && channel.getSslEngine() != null
        && !channel.isHandshakeComplete();
  }

  /** A FIN, with TLS behind its close_notify. */
  static void shutDownOutput(SocketWrapperBase<NioChannel> wrapper) throws IOException {
    if (wrapper.getSocket() instanceof SecureNioChannel tls) {
      TlsChannel.shutDownOutput(tls);
      return;
    }
    SocketChannel channel = wrapper.getSocket().getIOChannel();
    if (channel != null) { // null: closed
      channel.shutdownOutput();
    }
  }

  /**
   * What Tomcat is about to close, behind a response that says close, is half-closed and read on
   * instead while the server leaves: a peer that is still sending would be reset. Only where Tomcat
   * speaks HTTP/1, not where a handshake has failed; with the lock held.
   *
   * @return whether the peer may still send
   */
  static boolean linger(SocketWrapperBase<NioChannel> wrapper, ConnectionLedger ledger) {
    if (!ledger.isEnding()
        || wrapper.isClosed()
        || !wrapper.getSocket().isHandshakeComplete()
        || ledger.isUpgraded(wrapper)
        || ledger.http2(wrapper) != null) {
      return false;
    }
    try {
      ledger.halfClosed(wrapper);
      shutDownOutput(wrapper);
      return discardInput(wrapper);
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Reads what comes on a half-closed connection: the peer's FIN, or a request that crossed ours.
   * That must not run, since nobody could answer it; and it must be read, or the reset that follows
   * takes the former response with it where the client has not read it yet.
   *
   * @return whether the peer may still send more
   */
  static boolean discardInput(SocketWrapperBase<NioChannel> wrapper) {
    try {
      // Past Tomcat: an engine of OpenSSL reads nothing any more.
      int read = TlsChannel.discard(wrapper.getSocket().getIOChannel());
      if (read == 0) {
        wrapper.registerReadInterest();
      }
      return read == 0;
    } catch (IOException gone) {
      return false;
    }
  }

  /** A connection upgraded to no HTTP, or one within requests that have all become streams. */
  boolean isLongLived() {
    DrainingHttp2Handler http2 = ledger.http2(wrapper);
    if (http2 != null) {
      return http2.isLongLived();
    }
    if (ledger.isStreaming(wrapper) || ledger.isOpened(wrapper)) {
      return true;
    }
    if (!(wrapper.getCurrentProcessor() instanceof Processor processor)) {
      return false;
    }
    HttpServletRequest request = request(processor);
    return request != null && LongLived.isLongLived(request);
  }

  private static @Nullable HttpServletRequest request(Processor processor) {
    org.apache.coyote.Request request = processor.getRequest();
    return request == null
        ? null
        : (HttpServletRequest) request.getNote(CoyoteAdapter.ADAPTER_NOTES);
  }

  /** Asks the kernel; also where the channel is registered with a selector, on JDK 17 to 25. */
  private boolean hasNoInput(SocketChannel channel) throws IOException {
    return !(wrapper.getSocket() instanceof SecureNioChannel tls && hasPartOfRecord(tls))
        && wrapper.getSocketBufferHandler().isReadBufferEmpty()
        && channel.socket().getInputStream().available() == 0;
  }

  private static boolean hasPartOfRecord(SecureNioChannel channel) {
    return channel instanceof TlsChannel ours
        ? ours.hasPartOfRecord()
        : Tomcat10.hasPartOfRecord(channel);
  }
}
