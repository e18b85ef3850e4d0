package io.lastcall.servlet.jetty;

import io.lastcall.connection.Backlog;
import io.lastcall.connection.FirstRequest;
import io.lastcall.inflight.RequestGate;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's NIO connector with what a drain needs to know of its connections, and one acceptor, which
 * is Jetty's default. Everything else is configured as ever. Does what its superclass does until a
 * {@link JettyServer} drains it.
 *
 * <p>Jetty closes the listener at once: what the kernel has queued is reset. Here the acceptor
 * itself, woken by a connection of ours that is behind all the others in the queue, goes on until
 * the queue is empty and closes the listener in the same breath.
 */
public final class LastcallConnector extends ServerConnector {
  private static final String INTERNAL = "org.eclipse.jetty.server.internal";

  private final ConnectionLedger ledger;

  /** Where the connection that wakes the acceptor comes from; null: not closing. */
  private volatile @Nullable SocketAddress waker;

  /** Creates a connector on the server's own executor, with the number of selectors Jetty picks. */
  public LastcallConnector(Server server, ConnectionFactory... factories) {
    this(server, null, null, -1, factories);
  }

  /**
   * @param executor null: the server's
   * @param scheduler null: the server's
   * @param selectors how many; -1: Jetty's default, half the number of processors
   */
  public LastcallConnector(
      Server server,
      @Nullable Executor executor,
      @Nullable Scheduler scheduler,
      int selectors,
      ConnectionFactory... factories) {
    this(server, executor, scheduler, selectors, FirstRequest::new, factories);
  }

  /**
   * @param firstRequests begins, for each connection, to await its first request
   */
  LastcallConnector(
      Server server,
      @Nullable Executor executor,
      @Nullable Scheduler scheduler,
      int selectors,
      Supplier<FirstRequest> firstRequests,
      ConnectionFactory... factories) {
    super(server, executor, scheduler, null, 1, selectors, factories);
    ledger = new ConnectionLedger(firstRequests);
    getSelectorManager().addEventListener(ledger);
  }

  ConnectionLedger ledger() {
    return ledger;
  }

  /**
   * @throws IllegalStateException if it runs already, and cannot be drained without loss
   */
  void serve(RequestGate gate) {
    if (isRunning()) {
      refuseWhatCannotBeDrained();
    }
    ledger.serve(gate);
  }

  boolean isServed() {
    return ledger.isServed();
  }

  Collection<DrainingEndPoint> endPoints() {
    return getConnectedEndPoints().stream().map(DrainingEndPoint.class::cast).toList();
  }

  /**
   * @throws IllegalStateException if it is to be drained, and cannot be without loss
   */
  @Override
  protected void doStart() throws Exception {
    if (ledger.isServed()) {
      refuseWhatCannotBeDrained();
    }
    // Also of one that another wraps, as Dropwizard's metrics do, and has as a bean.
    for (HttpConfiguration.ConnectionFactory factory :
        getContainedBeans(HttpConfiguration.ConnectionFactory.class)) {
      DrainingRequest.install(factory.getHttpConfiguration());
    }
    super.doStart();
  }

  private void refuseWhatCannotBeDrained() {
    refuseUnlessExported();
    for (ConnectionFactory factory : getConnectionFactories()) {
      if (factory.getProtocols().contains("h2") || factory.getProtocols().contains("h2c")) {
        refuseUnless(factory instanceof LastcallHttp2ConnectionFactory, factory);
      }
    }
  }

  /** On the module path: whether half a request is on its way only Jetty's own parser knows. */
  private static void refuseUnlessExported() {
    Module jetty = ServerConnector.class.getModule();
    Module own = LastcallConnector.class.getModule();
    if (!jetty.isExported(INTERNAL, own)) {
      throw new IllegalStateException(
          "Jetty's module does not export %s to the adapter; allowed: java --add-exports %s/%s=%s"
              .formatted(INTERNAL, jetty.getName(), INTERNAL, own.getName()));
    }
  }

  private static void refuseUnless(boolean allowed, ConnectionFactory factory) {
    if (!allowed) {
      throw new IllegalStateException(
          factory.getClass().getName()
              + " cannot be drained without loss; allowed for "
              + factory.getProtocols()
              + " is "
              + LastcallHttp2ConnectionFactory.class.getName());
    }
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    DrainingEndPoint endPoint =
        new DrainingEndPoint(channel, selector, key, getScheduler(), ledger);
    endPoint.setIdleTimeout(getIdleTimeout());
    return endPoint;
  }

  private ServerSocketChannel listener() {
    return (ServerSocketChannel) getTransport();
  }

  /**
   * Accepts everything that was queued before this call, then closes the listener. Blocks until
   * that is done. A listener that is open and not started has nobody who accepts: it is closed.
   *
   * @throws IOException if that is not done in time; the listener is closed then too
   */
  void acceptQueuedThenClose(Deadline deadline) throws IOException {
    if (!isRunning()) {
      listener().close();
      return;
    }
    // Jetty's limit closes whoever is accepted beyond it.
    for (NetworkConnectionLimit limit : getBeans(NetworkConnectionLimit.class)) {
      limit.setMaxNetworkConnectionCount(Integer.MAX_VALUE);
    }
    try {
      InetSocketAddress bound = (InetSocketAddress) listener().getLocalAddress();
      // The acceptor closes our connection behind the listener.
      Backlog.awaitAccepted(bound, deadline, this::closeBehind);
    } finally {
      listener().close();
    }
  }

  private void closeBehind(SocketAddress own) {
    waker = own;
    setAccepting(true);
  }

  /**
   * True, whatever is asked, while the listener is being closed: the queue must not wait for
   * connections to end, where Jetty's limits on them say no. One at a time, so that a no from
   * before cannot come last.
   */
  @Override
  public synchronized void setAccepting(boolean accepting) {
    super.setAccepting(accepting || waker != null);
  }

  /** On the acceptor's thread, as everything below. */
  @Override
  public void accept(int acceptorId) throws IOException {
    SocketChannel accepted = listener().accept();
    SocketAddress own = waker;
    if (own == null) {
      serve(accepted);
      return;
    }
    SocketChannel wake = Backlog.acceptQueued(listener(), accepted, own, this::serve);
    if (wake != null) {
      try {
        listener().close();
      } finally {
        wake.close();
      }
      // Ends the acceptor: Jetty asks whether the connector is open.
      throw new ClosedChannelException();
    }
  }

  private void serve(SocketChannel channel) throws IOException {
    try {
      channel.configureBlocking(false);
      configure(channel.socket());
      getSelectorManager().accept(channel);
    } catch (IOException | RuntimeException failure) {
      ledger.drop(channel);
      channel.close();
      throw failure;
    }
  }
}
