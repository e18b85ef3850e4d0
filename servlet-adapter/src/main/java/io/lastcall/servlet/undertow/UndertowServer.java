package io.lastcall.servlet.undertow;

import io.lastcall.connection.Backlog;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.FirstRequest;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.RequestGate;
import io.lastcall.servlet.Attempts;
import io.lastcall.servlet.ContainerAdapter;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.UpgradedConnection;
import io.lastcall.time.Deadline;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.Headers;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * Undertow's HTTP listeners on a worker, and their role in a shutdown. They are opened here and not
 * by {@code Undertow.Builder}, which shows neither its listeners nor its connections to anybody;
 * handlers, deployments and options are the same as there. Thread-safe.
 *
 * <p>HTTP/2, where {@code UndertowOptions.ENABLE_HTTP2} is set: by ALPN, or with prior knowledge;
 * not by {@code Upgrade: h2c}, which RFC 9113 has dropped.
 */
public final class UndertowServer implements DrainableServer {
  private final XnioWorker worker;
  private final RequestGate gate;
  private final OptionMap options;
  private final ConnectionLedger ledger;
  private final List<AcceptingChannel<? extends StreamConnection>> listeners =
      new CopyOnWriteArrayList<>();

  /**
   * @param worker whose threads serve the connections; {@link #stop} ends it
   * @param filter the filter that the requests pass
   * @param options for server and sockets, as {@code Undertow.Builder} takes them; those it sets by
   *     itself are set here too
   */
  public UndertowServer(XnioWorker worker, ShutdownFilter filter, OptionMap options) {
    this(worker, filter.gate(), options, FirstRequest::new);
    filter.add(new Adapter());
  }

  /**
   * @param firstRequests begins, for each connection, to await its first request
   */
  UndertowServer(
      XnioWorker worker,
      RequestGate gate,
      OptionMap options,
      Supplier<FirstRequest> firstRequests) {
    this.ledger = new ConnectionLedger(gate, firstRequests);
    this.worker = worker;
    this.gate = gate;
    this.options = Listening.withDefaults(options);
  }

  /**
   * Opens a listener for HTTP, and returns where it is bound.
   *
   * @param address port 0 takes a free one
   * @param root the first handler, such as what {@code DeploymentManager.start} returns
   * @throws IOException if it cannot be bound
   */
  public InetSocketAddress listen(InetSocketAddress address, HttpHandler root) throws IOException {
    return listen(address, root, null);
  }

  /** As {@link #listen(InetSocketAddress, HttpHandler)}, for HTTPS unless {@code tls} is null. */
  public InetSocketAddress listen(
      InetSocketAddress address, HttpHandler root, @Nullable SSLContext tls) throws IOException {
    HttpHandler first = exchange -> handle(exchange, root);
    AcceptingChannel<? extends StreamConnection> listener =
        new Listening(worker, options, ledger, first).open(address, tls);
    listeners.add(listener);
    listener.resumeAccepts();
    return listener.getLocalAddress(InetSocketAddress.class);
  }

  /** Every request comes here first, also what never comes to the filter. */
  private void handle(HttpServerExchange exchange, HttpHandler root) throws Exception {
    if (exchange.getConnection() instanceof HttpServerConnection http1) {
      UndertowConnection connection = ledger.of(http1.getChannel());
      if (connection != null) {
        connection.begun(exchange);
      }
      exchange.addResponseCommitListener(this::mark);
    }
    root.handleRequest(exchange);
  }

  /** A bodiless answer is sent without a look at what {@code setPersistent} says: so both. */
  private void mark(HttpServerExchange exchange) {
    if (!exchange.isUpgrade() && gate.shouldCloseConnection()) {
      exchange.getResponseHeaders().put(Headers.CONNECTION, "close");
      exchange.setPersistent(false);
      if (worker.isShutdown()) {
        // Its thread was interrupted: what the application makes of that is no answer.
        exchange.setStatusCode(RequestGate.REFUSED_STATUS);
        exchange.getResponseHeaders().put(Headers.RETRY_AFTER, RequestGate.RETRY_AFTER_SECONDS);
      }
    }
  }

  @Override
  public String name() {
    return listeners.isEmpty()
        ? "undertow"
        : "undertow:" + listeners.get(0).getLocalAddress(InetSocketAddress.class).getPort();
  }

  /**
   * Returns the connection that this thread upgrades: for {@code onOpen} of a WebSocket endpoint,
   * which Undertow calls on that thread. Any server of this kind may be asked, where there are
   * several.
   *
   * @throws IllegalStateException if this thread upgrades no connection of an {@code
   *     UndertowServer}
   */
  public UpgradedConnection currentConnection() {
    return ConnectionLedger.current();
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    return List.copyOf(ledger.open());
  }

  /** Closes every listener, whatever happens to the one before it. */
  @Override
  public void stopListening(Deadline deadline) throws Exception {
    Attempts closes = new Attempts();
    for (AcceptingChannel<? extends StreamConnection> listener : listeners) {
      if (listener.isOpen()) {
        closes.attempt(() -> acceptQueuedThenClose(listener, deadline));
      }
    }
    // Else the application has ended it, and the connections with it.
    if (!worker.isShutdown()) {
      closes.attempt(() -> awaitOpened(deadline));
    }
    closes.throwFailure();
  }

  private void acceptQueuedThenClose(
      AcceptingChannel<? extends StreamConnection> listener, Deadline deadline) throws IOException {
    try {
      // The queue must not wait for connections to end. XNIO raises the high water with it.
      listener.setOption(Options.CONNECTION_LOW_WATER, Integer.MAX_VALUE);
      Backlog.awaitAccepted(listener.getLocalAddress(InetSocketAddress.class), deadline);
      AcceptThread.of(worker).acceptQueuedThenClose(listener, deadline);
    } finally {
      IoUtils.safeClose(listener);
    }
  }

  /**
   * The accept thread hands each connection to its I/O thread by a task. One of ours behind those
   * says that they have run.
   */
  private void awaitOpened(Deadline deadline) throws IOException {
    CountDownLatch behind = new CountDownLatch(worker.getIoThreadCount());
    for (int i = 0; i < worker.getIoThreadCount(); i++) {
      worker.getIoThread(i).execute(behind::countDown);
    }
    IoTasks.await(behind, deadline, "I/O threads of " + worker.getName());
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return ledger.settle();
  }

  /**
   * Ends the threads of the worker, and with it whatever else uses it, such as a listener for
   * probes. Requests that still run are interrupted and not waited for. Deployments are not
   * stopped: an application that needs its {@code contextDestroyed} or {@code destroy} calls adds a
   * step that stops them.
   */
  @Override
  public void stop(Deadline deadline) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    AcceptThread.find(worker).map(AcceptThread::thread).ifPresent(threads::add);
    for (int i = 0; i < worker.getIoThreadCount(); i++) {
      threads.add(worker.getIoThread(i));
    }
    worker.shutdownNow();
    for (Thread thread : threads) {
      thread.join(Math.max(1, deadline.remaining().toMillis()));
    }
  }

  private static final class Adapter implements ContainerAdapter {
    @Override
    public void longLived(HttpServletRequest request) {
      ConnectionLedger.longLived(request);
    }

    @Override
    public long acceptTime(HttpServletRequest request) {
      return ConnectionLedger.acceptTime(request);
    }

    @Override
    public void async(HttpServletRequest request, Runnable over) {
      ConnectionLedger.async(request, over);
    }
  }
}
