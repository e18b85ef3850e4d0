package io.lastcall.servlet.jetty;

import io.lastcall.inflight.RequestGate;
import io.lastcall.servlet.ContainerInternals;
import io.lastcall.spi.AwaitedConnections;
import io.lastcall.spi.Backlog;
import io.lastcall.spi.FirstRequest;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
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
 * itself, woken by a connection of ours that comes after all the others in the queue, goes on until
 * the queue is empty and then closes the listener.
 */
public final class LastcallConnector extends ServerConnector {
  /** Of a connector that is not drained: it never leaves. */
  private static final RequestGate NONE = RequestGate.open();

  private static final Set<String> HTTP2 = Set.of("h2", "h2c");

  /** Begins, for each connection, to await its first request; tests do so by another clock. */
  Supplier<FirstRequest> firstRequests = FirstRequest::new;

  /** From the accept on, before Jetty has an end point for a connection. */
  private final AwaitedConnections<SelectableChannel> awaited = new AwaitedConnections<>();

  /** Set before the shutdown begins, by the server's role. */
  private volatile RequestGate gate = NONE;

  private volatile boolean mayBeCoarse;

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
    super(server, executor, scheduler, null, 1, selectors, factories);
    if (JettyInternals.problem().isEmpty()) {
      getSelectorManager().addEventListener(new Accepts());
    }
  }

  /** On the acceptor's thread, before anything else happens to the connection. */
  private final class Accepts implements SelectorManager.AcceptListener {
    @Override
    public void onAccepting(SelectableChannel channel) {
      awaited.add(channel);
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
      awaited.remove(channel);
    }
  }

  AwaitedConnections<SelectableChannel> awaited() {
    return awaited;
  }

  RequestGate gate() {
    return gate;
  }

  /**
   * @param mayBeCoarse whether it starts, and has the coarse role, if something of it cannot be
   *     drained without loss
   * @throws IllegalStateException if it runs already, and something of it cannot be, and it may not
   */
  void serve(RequestGate newGate, boolean mayBeCoarse) {
    this.mayBeCoarse = mayBeCoarse;
    gate = newGate;
    if (isRunning()) {
      refuseWhatCannotBeDrained();
    }
  }

  boolean isServed() {
    return gate != NONE;
  }

  Collection<DrainingEndPoint> endPoints() {
    return getConnectedEndPoints().stream()
        .filter(DrainingEndPoint.class::isInstance)
        .map(DrainingEndPoint.class::cast)
        .toList();
  }

  /** Completes when no connection, of the last ones there will be, is waited for any more. */
  CompletionStage<Void> settle() {
    return awaited.settle(List.of(), () -> endPoints().forEach(DrainingEndPoint::settle));
  }

  /**
   * @throws IllegalStateException if it is to be drained, and cannot be without loss
   */
  @Override
  protected void doStart() throws Exception {
    if (isServed()) {
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
    JettyInternals.notExported()
        .or(this::undrainableHttp2)
        .ifPresent(
            obstacle -> {
              gate = NONE;
              ContainerInternals.refuseOrWarn(obstacle, String.valueOf(this), mayBeCoarse);
            });
  }

  private Optional<String> undrainableHttp2() {
    return getConnectionFactories().stream()
        // By protocol first: the classes of HTTP/2 need not be there.
        .filter(factory -> !Collections.disjoint(factory.getProtocols(), HTTP2))
        .filter(factory -> !(factory instanceof LastcallHttp2ConnectionFactory))
        .findFirst()
        .map(
            factory ->
                "%s cannot be drained without loss; allowed for %s is %s"
                    .formatted(
                        factory.getClass().getName(),
                        factory.getProtocols(),
                        LastcallHttp2ConnectionFactory.class.getName()));
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) throws IOException {
    if (JettyInternals.problem().isPresent()) {
      return super.newEndPoint(channel, selector, key);
    }
    DrainingEndPoint endPoint = new DrainingEndPoint(channel, selector, key, getScheduler(), this);
    endPoint.setIdleTimeout(getIdleTimeout());
    return endPoint;
  }

  private ServerSocketChannel listener() {
    return (ServerSocketChannel) getTransport();
  }

  /**
   * Accepts everything that was queued before this call, then closes the listener. Blocks until
   * that is done. A listener that is open and not started has no acceptor: it is closed.
   *
   * @throws IOException if that is not done in time; the listener is closed then too
   */
  void acceptQueuedThenClose(Deadline deadline) throws IOException {
    if (!isRunning()) {
      listener().close();
      return;
    }
    ConnectionLimits.lift(this);
    try {
      InetSocketAddress bound = (InetSocketAddress) listener().getLocalAddress();
      // The acceptor closes our connection after the listener.
      Backlog.awaitAccepted(
          bound,
          deadline,
          own -> {
            waker = own;
            setAccepting(true);
          });
    } finally {
      listener().close();
    }
  }

  /** On the acceptor's thread, as everything below. */
  @Override
  public void accept(int acceptorId) throws IOException {
    if (JettyInternals.problem().isPresent()) {
      super.accept(acceptorId);
      return;
    }
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
      awaited.remove(channel);
      channel.close();
      throw failure;
    }
  }
}
