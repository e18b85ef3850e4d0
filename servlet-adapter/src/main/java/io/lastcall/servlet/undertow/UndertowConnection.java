package io.lastcall.servlet.undertow;

import io.lastcall.connection.FirstRequest;
import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.UpgradedConnection;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.AttachmentKey;
import io.undertow.util.ConnectionUtils;
import java.io.IOException;
import java.nio.channels.Channel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.ssl.SslConnection;

/**
 * One connection, as a drain sees it.
 *
 * <p>It is idle if, on its I/O thread, its first request is not awaited, no exchange runs, no byte
 * has arrived since the last one ended, and a read finds none now. An exchange counts as running
 * until Undertow has taken the connection back from it. Between head and exchange there is no gap:
 * both happen in one I/O task, or the bytes of the head already count as arrived.
 */
final class UndertowConnection implements HttpConnection, UpgradedConnection {
  /** Where an exchange has its connection: Undertow does not tell with HTTP/2. */
  private static final AttachmentKey<UndertowConnection> KEY =
      AttachmentKey.create(UndertowConnection.class);

  private final StreamConnection channel;
  private final ConnectionLedger ledger;
  private final ArrivalConduit arrivals;
  private final @Nullable RecordConduit records;
  private final FirstRequest firstRequest;
  private final long acceptTime;

  /** Each with whether nobody counts it any more, and it may be getting an error page. */
  private final Map<HttpServerExchange, Boolean> running = new ConcurrentHashMap<>();

  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private volatile @Nullable DrainingHttp2Channel http2;
  private volatile boolean upgraded;

  /** Our FIN is out, or on its way behind the last response. */
  private volatile boolean ended;

  /** To close if idle, which the I/O thread has yet to hear. */
  private volatile boolean told;

  /**
   * On the connection's I/O thread, before anybody reads.
   *
   * @param records with TLS, what {@code channel} decrypts
   */
  UndertowConnection(
      StreamConnection channel, @Nullable RecordConduit records, ConnectionLedger ledger) {
    this.channel = channel;
    this.records = records;
    this.ledger = ledger;
    this.firstRequest = ledger.awaitFirstRequest();
    this.acceptTime = ledger.acceptTime();
    this.arrivals = new ArrivalConduit(channel.getSourceChannel().getConduit());
    channel.getSourceChannel().setConduit(arrivals);
    if (channel instanceof SslConnection tls) {
      ChannelListener<Channel> handshakeDone = done -> firstRequest.awaitAnew();
      tls.getHandshakeSetter().set(handshakeDone);
    }
  }

  StreamConnection channel() {
    return channel;
  }

  long acceptTime() {
    return acceptTime;
  }

  @Override
  public CompletionStage<?> ended() {
    return closed;
  }

  @Override
  public void opened() {
    running.clear();
    ledger.changed(this);
  }

  void tellClosed() {
    closed.complete(null);
  }

  void speaksHttp2(DrainingHttp2Channel known) {
    http2 = known;
  }

  /** Whether nothing runs but requests that have become streams. */
  boolean isQuiet() {
    return ledger.areStreams(running.keySet());
  }

  /** Returns whether nobody will be answered here any more. */
  boolean isOver() {
    return ended || !channel.isOpen();
  }

  /** Upgraded to no HTTP and handed over, or within requests that have all become streams. */
  boolean isLongLived() {
    DrainingHttp2Channel known = http2;
    return upgraded
        ? running.isEmpty()
        : !running.isEmpty() && isQuiet() && (known == null || known.isAcknowledged());
  }

  /** Returns null if the exchange came by another server. */
  static @Nullable UndertowConnection of(HttpServerExchange exchange) {
    return exchange.getAttachment(KEY);
  }

  void begun(HttpServerExchange exchange) {
    firstRequest.arrived();
    if (exchange.getConnection() instanceof HttpServerConnection) {
      arrivals.begun();
    }
    exchange.putAttachment(KEY, this);
    running.put(exchange, false);
    exchange.addExchangeCompleteListener(this::completed);
  }

  /** The whole response is out. Ours is the last listener: behind it comes Undertow itself. */
  private void completed(HttpServerExchange exchange, NextListener undertow) {
    boolean last = false;
    if (exchange.getConnection() instanceof HttpServerConnection http1) {
      arrivals.answered(http1.getExtraBytes() != null);
      upgraded = exchange.isUpgrade();
      last = !upgraded && !exchange.isPersistent();
      if (last) {
        arrivals.discard();
      }
    }
    try {
      if (upgraded) {
        ConnectionLedger.handOver(this, undertow::proceed);
      } else {
        undertow.proceed();
      }
    } finally {
      if (last) {
        ended = true;
      }
      running.remove(exchange);
      ledger.completed(exchange, this);
    }
    lookIfLeaving();
  }

  /** An exchange has ended, or become a stream. */
  private void lookIfLeaving() {
    DrainingHttp2Channel known = http2;
    if (known != null && known.leaving().isWaiting()) {
      onIoThread(known.leaving()::check);
    }
  }

  /** Maybe on a thread of the application. */
  void becameStream(HttpServerExchange exchange) {
    ledger.becameStream(exchange, this);
    lookIfLeaving();
  }

  void errorPageToCome(HttpServerExchange exchange) {
    running.replace(exchange, true);
  }

  @Override
  public void announceClose() {
    DrainingHttp2Channel known = http2;
    if (known != null) {
      onIoThread(known::announceClose);
    }
  }

  @Override
  public void closeIfIdle() {
    told = true;
    onIoThread(this::endIfIdle);
  }

  /** Or may be: a request may have come that a blocked I/O thread has not read. */
  @Override
  public boolean isAnswering() {
    return !isOver() && (told || running.entrySet().stream().anyMatch(this::isAnswering));
  }

  private boolean isAnswering(Map.Entry<HttpServerExchange, Boolean> entry) {
    HttpServerExchange exchange = entry.getKey();
    return (entry.getValue() || exchange.isResponseStarted())
        && !exchange.isResponseComplete()
        && !ledger.isStream(exchange);
  }

  private void endIfIdle() {
    told = false;
    DrainingHttp2Channel known = http2;
    if (isOver() || upgraded) {
      return;
    }
    if (known != null) {
      known.announceClose();
      if (known.isAcknowledged() && ledger.isSettling() && running.isEmpty()) {
        end();
      }
      return;
    }
    try {
      if (!running.isEmpty() || arrivals.isUnanswered() || isWithinHandshake()) {
        return;
      }
      if (arrivals.hasInput()) {
        // Read by us, so that the selector does not tell.
        channel.getSourceChannel().wakeupReads();
      } else if (!firstRequest.isAwaited() && (records == null || !records.isWithinRecord())) {
        end();
      }
    } catch (IOException gone) {
      IoUtils.safeClose(channel);
    }
  }

  /** A FIN, with TLS behind its close_notify; the client's own ends the connection. */
  private void end() {
    ended = true;
    arrivals.discard();
    ConnectionUtils.cleanClose(channel);
    ledger.over(this);
  }

  private boolean isWithinHandshake() {
    return channel instanceof SslConnection tls
        && UndertowXnioSsl.getSslEngine(tls).getHandshakeStatus()
            != HandshakeStatus.NOT_HANDSHAKING;
  }

  /** Always later, since whoever calls may be in the midst of Undertow's work on the connection. */
  private void onIoThread(Runnable task) {
    try {
      channel.getIoThread().execute(task);
    } catch (RejectedExecutionException stopped) {
      // The server is gone, and the connection with it.
    }
  }
}
