package io.lastcall.servlet.tomcat;

import io.lastcall.inflight.RequestGate;
import io.lastcall.spi.AwaitedConnections;
import io.lastcall.spi.Backlog;
import io.lastcall.spi.FirstRequest;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's NIO endpoint, which knows its connections as a drain sees them, and closes its listener
 * without losing a connection that the kernel has queued.
 *
 * <p>Tomcat's own way, {@code closeServerSocketGraceful}, tells the acceptor to end and then
 * connects to wake it: whatever the acceptor gets in between it destroys, and what is queued is
 * reset. Here the acceptor itself, woken by a connection of ours that comes after all the others in
 * the queue, goes on until the queue is empty and then closes the listener.
 */
final class DrainingEndpoint extends NioEndpoint {
  /** Of an endpoint that is not drained: it never leaves. */
  private static final RequestGate NONE = RequestGate.open();

  /** Begins, for each connection, to await its first request; tests do so by another clock. */
  Supplier<FirstRequest> firstRequests = FirstRequest::new;

  private final Map<SocketWrapperBase<?>, TomcatConnection> known = new ConcurrentHashMap<>();
  private final AwaitedConnections<TomcatConnection> awaited = new AwaitedConnections<>();

  /** Set before the shutdown begins, by the server's role. */
  private volatile RequestGate gate = NONE;

  /** Where the connection that wakes the acceptor comes from; null: not closing. */
  private volatile @Nullable SocketAddress waker;

  void serve(RequestGate newGate) {
    gate = newGate;
  }

  /** Something of it cannot be drained: it does what its superclass does. */
  void serveCoarsely() {
    gate = NONE;
  }

  boolean isServed() {
    return gate != NONE;
  }

  RequestGate gate() {
    return gate;
  }

  AwaitedConnections<TomcatConnection> awaited() {
    return awaited;
  }

  /** Returns the one of {@code wrapper}, from its accept to its end the same. */
  @SuppressWarnings("unchecked") // NioEndpoint makes no others
  TomcatConnection connection(SocketWrapperBase<?> wrapper) {
    TomcatConnection connection = known.get(wrapper);
    if (connection == null) {
      connection =
          known.computeIfAbsent(
              wrapper,
              unused -> new TomcatConnection((SocketWrapperBase<NioChannel>) wrapper, this));
      if (wrapper.isClosed()) {
        // Maybe before it was put there.
        closed(wrapper);
      }
    }
    return connection;
  }

  List<TomcatConnection> connections() {
    return isServed() ? getConnections().stream().map(this::connection).toList() : List.of();
  }

  /** Called once {@code wrapper} counts as closed. */
  void closed(SocketWrapperBase<?> wrapper) {
    TomcatConnection connection = known.remove(wrapper);
    if (connection != null) {
      connection.closed();
    }
  }

  /** Completes when no connection, of the last ones there will be, is waited for any more. */
  CompletionStage<Void> settle() {
    List<TomcatConnection> last = connections();
    return awaited.settle(last, () -> last.forEach(TomcatConnection::settle));
  }

  /** Runs {@code task} on a thread of Tomcat's; not once that is stopped, with all connections. */
  void schedule(Duration delay, Runnable task) {
    try {
      var unused = getUtilityExecutor().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopped) {
      // Nothing is left to do.
    }
  }

  boolean isListening() {
    return getServerSocket() != null && getServerSocket().isOpen();
  }

  /**
   * Accepts everything that was queued before this call, then closes the listener. Blocks until
   * that is done. A listener that is bound and not started has no acceptor: it is closed.
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
      // The acceptor closes our connection after the listener.
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
    if (!isServed() || isListening()) {
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

  /** On the acceptor's thread, as everything below. */
  @Override
  protected boolean setSocketOptions(SocketChannel accepted) {
    boolean served = super.setSocketOptions(accepted);
    SocketWrapperBase<NioChannel> wrapper = isServed() ? connections.get(accepted) : null;
    if (wrapper != null) {
      connection(wrapper);
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
          acceptor.stopMillis(-1);
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
