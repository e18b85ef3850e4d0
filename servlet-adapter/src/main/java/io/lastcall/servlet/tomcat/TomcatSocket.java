package io.lastcall.servlet.tomcat;

import io.lastcall.spi.EndOfInput;
import io.lastcall.spi.Linger;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import javax.net.ssl.SSLEngine;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/** The socket of a connection: what a drain asks of it, and does with it past Tomcat. */
final class TomcatSocket {
  /** How long a worker that is done may take to the unlock. */
  private static final long UNLOCK_MILLIS = 1;

  private final SocketWrapperBase<NioChannel> wrapper;
  private volatile boolean halfClosed;

  TomcatSocket(SocketWrapperBase<NioChannel> wrapper) {
    this.wrapper = wrapper;
  }

  /**
   * Runs {@code action} with the connection's lock held, unless a worker holds it.
   *
   * @param resting whether the worker is about to unlock: then that is waited for; not for long,
   *     since a WebSocket's worker may take the lock back for a callback
   */
  void runLocked(Runnable action, boolean resting) {
    Lock lock = TomcatInternals.lock(wrapper);
    try {
      if (!lock.tryLock() && !(resting && lock.tryLock(UNLOCK_MILLIS, TimeUnit.MILLISECONDS))) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /** Returns where the connection comes from; null if it is closed. */
  @Nullable SocketAddress remoteAddress() {
    try {
      SocketChannel channel = channel();
      return channel == null ? null : channel.getRemoteAddress();
    } catch (IOException closed) {
      return null;
    }
  }

  /** Tomcat's close waits until its frame has left: after a write that waits, on a worker. */
  void closeSession(Closeable session) throws IOException {
    if (isWriting()) {
      wrapper.execute(() -> closeUnheard(session));
    } else {
      session.close();
    }
  }

  private static void closeUnheard(Closeable session) {
    try {
      session.close();
    } catch (IOException gone) {
      // So is the client.
    }
  }

  /** Null once Tomcat has closed it, which may be before it forgets it. */
  private @Nullable SocketChannel channel() {
    return wrapper.getSocket().getIOChannel();
  }

  /** A write that has to wait for its client asks the poller when it may go on. */
  boolean isWriting() {
    return wrapper instanceof NioSocketWrapper nio && nio.interestOpsHas(SelectionKey.OP_WRITE);
  }

  /**
   * Returns whether nothing has come that is unread. Asks the kernel; also where the channel is
   * registered with a selector, on JDK 17 to 25.
   */
  boolean hasNoInput() throws IOException {
    SocketChannel channel = channel();
    return channel != null
        && !isWithinHandshake()
        && wrapper.getSocketBufferHandler().isReadBufferEmpty()
        && channel.socket().getInputStream().available() == 0;
  }

  boolean isInputOver() {
    SocketChannel channel = channel();
    return channel == null || EndOfInput.isReached(channel);
  }

  /** From the first byte of the client's hello to the handshake's end. */
  private boolean isWithinHandshake() {
    return wrapper.getSocket() instanceof SecureNioChannel channel
        && channel.getSslEngine() != null
        && !channel.isHandshakeComplete();
  }

  /** Returns whether our FIN has left, or is leaving: what comes after it is discarded. */
  boolean isHalfClosed() {
    return halfClosed;
  }

  /** A FIN, with TLS after its close_notify. */
  void halfClose() throws IOException {
    halfClosed = true;
    SocketChannel channel = channel();
    if (channel != null) {
      if (wrapper.getSocket() instanceof SecureNioChannel tls) {
        writeCloseNotify(tls, channel);
      }
      channel.shutdownOutput();
    }
  }

  /** Where a record of Tomcat's has not left whole, nothing may follow it but the FIN. */
  private static void writeCloseNotify(SecureNioChannel tls, SocketChannel channel)
      throws IOException {
    SSLEngine engine = tls.getSslEngine();
    if (engine != null && tls.getOutboundRemaining() == 0) {
      engine.closeOutbound();
      ByteBuffer message = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(tls.getEmptyBuf(), message);
      channel.write(message.flip());
    }
  }

  /**
   * Discards what has come on a half-closed connection.
   *
   * @return whether the peer may still send more
   */
  boolean discardInput() {
    // Past Tomcat: an engine of OpenSSL reads nothing any more.
    SocketChannel channel = channel();
    boolean more = channel != null && Linger.discardInput(channel);
    if (more) {
      wrapper.registerReadInterest();
    }
    return more;
  }
}
