package io.lastcall.servlet.tomcat;

import io.lastcall.connection.Backlog;
import io.lastcall.connection.FirstRequest;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's NIO endpoint, able to close its listener without losing a connection that the kernel has
 * queued.
 *
 * <p>Tomcat's own way, {@code closeServerSocketGraceful}, tells the acceptor to end and then
 * connects to wake it: whatever the acceptor gets in between it destroys, and what is queued is
 * reset. Here the acceptor itself, woken by a connection of ours that is behind all the others in
 * the queue, goes on until the queue is empty and closes the listener in the same breath.
 */
final class DrainingEndpoint extends NioEndpoint {
  private final ConnectionLedger ledger;

  /** Where the connection that wakes the acceptor comes from; null: not closing. */
  private volatile @Nullable SocketAddress waker;

  /**
   * @param firstRequests begins, for each connection, to await its first request
   */
  DrainingEndpoint(Supplier<FirstRequest> firstRequests) {
    ledger = new ConnectionLedger(new FirstRequests(firstRequests));
  }

  ConnectionLedger ledger() {
    return ledger;
  }

  boolean isListening() {
    return getServerSocket() != null && getServerSocket().isOpen();
  }

  /**
   * Accepts everything that was queued before this call, then closes the listener. Blocks until
   * that is done. A listener that is bound and not started has nobody who accepts: it is closed.
   *
   * @throws IOException if that is not done in time; the listener is closed then too
   */
  void acceptQueuedThenClose(Deadline deadline) throws IOException {
    if (!isRunning()) {
      doCloseServerSocket();
      return;
    }
    // The queue must not wait for connections to end.
    setMaxConnections(-1);
    try {
      // The acceptor closes our connection behind the listener.
      Backlog.awaitAccepted(getLocalAddress(), deadline, own -> waker = own);
    } finally {
      doCloseServerSocket();
    }
  }

  /**
   * Not once the listener is closed: nobody waits in an accept then. The acceptor, which may have
   * some instructions before it yet, ends by itself; Tomcat would warn that it cannot be woken.
   */
  @Override
  protected void unlockAccept() {
    if (isListening()) {
      super.unlockAccept();
    }
  }

  /**
   * No: Tomcat ends the request before the file has left, and says nothing when it has; a
   * connection that waits for its next request looks then as one that still sends.
   */
  @Override
  public boolean getUseSendfile() {
    return false;
  }

  @Override
  protected NioChannel createChannel(SocketBufferHandler buffers) {
    return isSSLEnabled() ? new TlsChannel(buffers, this) : super.createChannel(buffers);
  }

  /** On the acceptor's thread, as everything below. */
  @Override
  protected boolean setSocketOptions(SocketChannel accepted) {
    ledger.accepted(accepted);
    boolean served = super.setSocketOptions(accepted);
    if (!served) {
      ledger.firstRequests().refused(accepted);
    }
    return served;
  }

  @Override
  protected SocketChannel serverSocketAccept() throws Exception {
    SocketChannel accepted = super.serverSocketAccept();
    for (SocketAddress own = waker; own != null; own = waker) {
      SocketChannel wake =
          Backlog.acceptQueued((ServerSocketChannel) getServerSocket(), accepted, own, this::serve);
      if (wake != null) {
        try {
          doCloseServerSocket();
          Tomcat10.stop(acceptor);
        } finally {
          // Whoever closes the listener waits for this, whatever happens here.
          wake.close();
        }
        // The acceptor, told to end, destroys it once more.
        return wake;
      }
      // Woken by somebody else: our own connection is still to come.
      accepted = super.serverSocketAccept();
    }
    return accepted;
  }

  private void serve(SocketChannel accepted) {
    if (!setSocketOptions(accepted)) {
      closeSocket(accepted);
    }
  }
}
