package io.lastcall.servlet.undertow;

import io.lastcall.connection.FirstRequest;
import io.lastcall.inflight.RequestGate;
import io.lastcall.servlet.UpgradedConnection;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.spec.HttpServletRequestImpl;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/**
 * The open connections, and which of them are still owed an answer while a server drains.
 *
 * <p>{@link #settle} adds every open connection and then says so by {@code settling}; then it has
 * each reviewed: closed if it is idle, dropped if it is over or owed nothing. From then on each
 * event reviews one, and the one that leaves nobody completes the future. None falls between the
 * two: an event first changes the connection and then reads {@code settling}, settle first writes
 * that and then reads the connection.
 */
final class ConnectionLedger {
  /** Whose request has just become something else, on the thread that tells its new owner. */
  private static final ThreadLocal<UndertowConnection> CURRENT = new ThreadLocal<>();

  private final RequestGate gate;
  private final Supplier<FirstRequest> firstRequests;
  private final Map<StreamConnection, UndertowConnection> open = new ConcurrentHashMap<>();
  private final Set<UndertowConnection> owed = ConcurrentHashMap.newKeySet();

  /** Exchanges that have become streams. */
  private final Set<HttpServerExchange> streams = ConcurrentHashMap.newKeySet();

  private final CompletableFuture<Void> settled = new CompletableFuture<>();

  /** The listeners are closed and {@code owed} is complete. */
  private volatile boolean settling;

  /**
   * @param firstRequests begins, for each connection, to await its first request
   */
  ConnectionLedger(RequestGate gate, Supplier<FirstRequest> firstRequests) {
    this.gate = gate;
    this.firstRequests = firstRequests;
  }

  long acceptTime() {
    return gate.acceptTime();
  }

  FirstRequest awaitFirstRequest() {
    return firstRequests.get();
  }

  boolean isSettling() {
    return settling;
  }

  Collection<UndertowConnection> open() {
    return open.values();
  }

  /** Returns null if the connection is gone. */
  @Nullable UndertowConnection of(StreamConnection channel) {
    return open.get(channel);
  }

  void opened(UndertowConnection connection) {
    open.put(connection.channel(), connection);
    connection.channel().setCloseListener(channel -> closed(connection));
  }

  private void closed(UndertowConnection connection) {
    open.remove(connection.channel());
    connection.tellClosed();
    over(connection);
  }

  /** Runs what may tell the application that it owns {@code connection} now. */
  static void handOver(UndertowConnection connection, Runnable handOver) {
    CURRENT.set(connection);
    try {
      handOver.run();
    } finally {
      CURRENT.remove();
    }
  }

  /** On a thread within {@link #handOver}: returns the connection. */
  static UpgradedConnection current() {
    UndertowConnection connection = CURRENT.get();
    if (connection == null) {
      throw new IllegalStateException("No connection is being upgraded on this thread");
    }
    return connection;
  }

  /** A request has become a stream, maybe on a thread of the application. */
  static void longLived(ServletRequest request) {
    tell(request, UndertowConnection::becameStream);
  }

  /** The filter has let go of a request that may still get an error page. */
  static void errorPageToCome(ServletRequest request) {
    tell(request, UndertowConnection::errorPageToCome);
  }

  /**
   * A request has become asynchronous. Undertow tells the listeners of an end at once where
   * somebody completes what was dispatched: before ours is among them, if the chain still runs.
   */
  static void async(ServletRequest request, Runnable end) {
    HttpServerExchange exchange = exchange(request);
    if (exchange == null) {
      return;
    }
    try {
      exchange.addExchangeCompleteListener(
          (ended, next) -> {
            try {
              end.run();
            } finally {
              next.proceed();
            }
          });
    } catch (IllegalStateException complete) {
      end.run();
    }
  }

  /** Returns when the request's connection was accepted; negative if it came by another server. */
  static long acceptTime(ServletRequest request) {
    HttpServerExchange exchange = exchange(request);
    UndertowConnection connection = exchange == null ? null : UndertowConnection.of(exchange);
    return connection == null ? -1 : connection.acceptTime();
  }

  private static void tell(
      ServletRequest request, BiConsumer<UndertowConnection, HttpServerExchange> what) {
    HttpServerExchange exchange = exchange(request);
    UndertowConnection connection = exchange == null ? null : UndertowConnection.of(exchange);
    if (exchange != null && connection != null) {
      what.accept(connection, exchange);
    }
  }

  private static @Nullable HttpServerExchange exchange(ServletRequest request) {
    ServletRequest inner = request;
    while (inner instanceof ServletRequestWrapper wrapper) {
      inner = wrapper.getRequest();
    }
    return inner instanceof HttpServletRequestImpl undertows ? undertows.getExchange() : null;
  }

  void becameStream(HttpServerExchange exchange, UndertowConnection connection) {
    streams.add(exchange);
    if (exchange.isComplete()) {
      streams.remove(exchange);
    }
    changed(connection);
  }

  boolean isStream(HttpServerExchange exchange) {
    return streams.contains(exchange);
  }

  boolean areStreams(Set<HttpServerExchange> exchanges) {
    return streams.containsAll(exchanges);
  }

  void completed(HttpServerExchange exchange, UndertowConnection connection) {
    streams.remove(exchange);
    changed(connection);
  }

  /** Something has ended on {@code connection}. */
  void changed(UndertowConnection connection) {
    if (settling) {
      review(connection);
    }
  }

  /**
   * Waits for nobody: completes when none of the connections open now, the last there will be, is
   * owed an answer any more.
   */
  CompletionStage<Void> settle() {
    owed.addAll(open.values());
    settling = true;
    owed.forEach(this::review);
    completeIfNobody();
    return settled;
  }

  private void review(UndertowConnection connection) {
    connection.closeIfIdle();
    if (connection.isOver() || connection.isLongLived()) {
      over(connection);
    }
  }

  /** Nobody is owed an answer on {@code connection}. */
  void over(UndertowConnection connection) {
    if (settling && owed.remove(connection)) {
      completeIfNobody();
    }
  }

  private void completeIfNobody() {
    if (owed.isEmpty()) {
      settled.complete(null);
    }
  }
}
