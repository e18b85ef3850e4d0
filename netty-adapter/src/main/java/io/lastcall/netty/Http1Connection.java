package io.lastcall.netty;

import io.lastcall.inflight.EventLoopPermits;
import io.lastcall.inflight.RequestGate;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one HTTP/1.1 connection. Event loop only.
 *
 * <p>An exchange is in flight from its request's head to the write future of its response's end.
 * When the gate asks for a close, the response to the last request read so far says {@code
 * Connection: close}. Requests read after that are dropped without an answer (RFC 9112, section
 * 9.6), and the connection ends after this response.
 */
final class Http1Connection implements Protocol {
  private final ChannelHandlerContext ctx;
  private final NettyDrain drain;
  private final RequestGate gate;
  private final TrackedConnection connection;
  private final EventLoopPermits<Exchange> permits;
  private final Exchanges exchanges = new Exchanges();
  private final Delivery delivery = new Delivery();
  private final PartialHead partialHead;
  private final OwnAnswers own;
  private final EventStreams streams;

  private Http1State state = Http1State.OPEN;

  /** A request's head has been read and its end has not. */
  private boolean receiving;

  /** The request being received is not for the application. */
  private boolean dropping;

  private boolean used;

  /** After a malformed head the codec drops all input. */
  private boolean malformed;

  private @Nullable Upgraded upgraded;

  Http1Connection(ChannelHandlerContext ctx, NettyDrain drain) {
    this.ctx = ctx;
    this.drain = drain;
    this.gate = drain.gate;
    this.connection = TrackedConnection.of(ctx);
    this.permits =
        new EventLoopPermits<>(gate, connection.accepted(gate), () -> new Exchange(this));
    this.partialHead = new PartialHead(ctx);
    this.own = new OwnAnswers(ctx, drain.probes, exchanges, this);
    this.streams = new EventStreams(ctx, drain, exchanges, this);
  }

  void read(Object message) {
    partialHead.passedOn();
    if (state == Http1State.UPGRADED) {
      readUpgraded(message);
      return;
    }
    boolean end = Messages.isEnd(message);
    HttpRequest request = Messages.request(message);
    if (request != null) {
      dropping = !isForApplication(request, end);
    } else if (end) {
      // Before the application sees it: its response may be out when fireChannelRead returns.
      receiving = false;
    }
    if (dropping) {
      Messages.drop(ctx, message);
    } else {
      delivery.run(ctx, message);
    }
    if (end) {
      received();
    }
  }

  private void readUpgraded(Object message) {
    if (upgraded == null) {
      ctx.fireChannelRead(message);
    } else {
      upgraded.read(message);
    }
  }

  private boolean isForApplication(HttpRequest request, boolean whole) {
    used = true;
    malformed = request.decoderResult().isFailure();
    // No end will come.
    receiving = !whole && !malformed;
    if (state != Http1State.OPEN || isCutShort()) {
      return false;
    }
    Exchange exchange = permits.take();
    exchange.begin(request);
    exchanges.add(exchange);
    if (exchanges.first() != exchange) {
      streams.endIfInFront();
    }
    if (own.isProbe(request)) {
      own.probe(exchange, request);
      return false;
    }
    if (!exchange.enter()) {
      refuse(exchange);
      return false;
    }
    Upgraded.ignoreH2c(request.headers());
    return true;
  }

  /**
   * When a connection closes within a request's head, the codec makes a malformed request of the
   * part. Its client is gone, and during a shutdown it would be counted as a late arrival.
   */
  private boolean isCutShort() {
    return malformed && gate.isEnding() && !ctx.channel().isActive();
  }

  private void refuse(Exchange exchange) {
    exchange.closes = true;
    state = Http1State.CLOSING;
    own.refuse(exchange);
  }

  private void received() {
    if (state == Http1State.ENDED) {
      connection.nothingOwed();
    } else {
      checkIdle();
    }
  }

  private void checkIdle() {
    if (gate.isEnding() && !isBusy()) {
      connection.becameIdle();
    }
  }

  /** The codec no longer expects a body, and passes on no end of the request. */
  void expectationFailed() {
    receiving = false;
    received();
  }

  void readComplete() {
    partialHead.readComplete(used, !receiving && !malformed);
  }

  void handshakeDone() {
    partialHead.handshakeDone();
    connection.handshakeDone();
    checkIdle();
  }

  void write(Object message, ChannelPromise promise) {
    Exchange exchange = exchanges.first();
    boolean tooLate =
        state == Http1State.ENDED
            || (state == Http1State.CLOSING && exchange == null && message instanceof HttpObject);
    if (tooLate) {
      Unsent.fail(message, promise);
    } else if (upgraded != null && upgraded.ignores(message)) {
      Unsent.ignore(message, promise);
    } else if (exchange == null) {
      ctx.write(message, promise);
    } else if (exchange.answeredByUs || exchange.isOfPreviousResponse(message)) {
      Unsent.fail(message, promise);
    } else {
      write(exchange, message, promise);
    }
  }

  /** Returns whether all further input is dropped. */
  boolean dropsWhatComes() {
    return (state == Http1State.CLOSING || state == Http1State.ENDED) && !receiving;
  }

  /** Part of the response to {@code exchange}, whose turn it is. */
  void write(Exchange exchange, Object message, ChannelPromise promise) {
    boolean end = Messages.isEnd(message);
    Object outgoing = message;
    HttpResponse response = Messages.response(message);
    if (response != null) {
      exchange.interim = ResponseHeads.isInterim(response);
      outgoing = exchange.interim ? response : head(exchange, response, end);
      // An upgrade's head need not have an end: what follows is not HTTP.
      end = end || exchange.upgrade != null;
    }
    if (!end) {
      ctx.write(outgoing, promise);
    } else if (exchange.interim) {
      exchange.interim = false;
      ctx.write(outgoing, promise);
    } else {
      exchanges.beingSent(exchange);
      ctx.write(outgoing, withEndListener(exchange, promise.unvoid()));
      own.answerNext();
    }
  }

  /** Adds a listener only if something depends on the end; otherwise {@link Delivery} counts. */
  private ChannelPromise withEndListener(Exchange exchange, ChannelPromise end) {
    if (exchange.isPlain() && !gate.mayCloseConnections()) {
      delivery.notifyAfter(exchange, end);
      return end;
    }
    return end.addListener(exchange);
  }

  private HttpResponse head(Exchange exchange, HttpResponse response, boolean whole) {
    exchange.headWritten = true;
    exchange.upgrade = Upgraded.kind(exchange, response);
    if (exchange.upgrade != null) {
      state = Http1State.UPGRADED;
      return response;
    }
    if (gate.shouldCloseConnection()) {
      closeAfterLast();
    }
    String kind = whole ? null : ResponseHeads.longLivedKind(exchange.method(), response);
    if (kind != null) {
      streams.begin(exchange, kind);
    }
    return exchange.closes ? ResponseHeads.closing(response) : response;
  }

  /**
   * Lets no further request in: the connection ends after the response to the last one read so far.
   */
  void closeAfterLast() {
    Exchange last = exchanges.last();
    if (state == Http1State.OPEN && last != null) {
      last.closes = true;
      state = Http1State.CLOSING;
    }
  }

  /** The end of a response is out, or will never be. */
  void responseLeft(Exchange exchange, boolean success) {
    exchanges.left();
    exchange.release();
    if (success && exchange.isPlain()) {
      exchange.forget();
      permits.keep(exchange);
      checkIdle();
      return;
    }
    // An event stream's registration may still refer to it.
    permits.drop(exchange);
    if (exchange.stream != null) {
      exchange.stream.ended();
      if (!exchange.closes) {
        connection.owesAgain();
      }
    }
    if (!success) {
      if (exchange.closes || exchange.upgrade != null) {
        ctx.close();
      }
    } else if (exchange.upgrade != null) {
      upgrade(exchange.upgrade);
    } else if (exchange.closes) {
      end();
    } else {
      checkIdle();
    }
  }

  private void upgrade(String kind) {
    if (exchanges.isEmpty()) {
      permits.close();
    }
    // If the writer runs on an executor group of its own, the connection may have closed by now;
    // a registration made after that would never be taken back.
    if (!ctx.isRemoved()) {
      upgraded = new Upgraded(drain, kind, ctx);
      connection.nothingOwed();
    }
  }

  @Override
  public void announceClose() {
    connection.notifyLeaving(ctx);
    streams.endIfInFront();
  }

  @Override
  public void forceClose() {
    Exchange exchange = exchanges.first();
    if (exchange != null && exchange.isUnanswered()) {
      exchanges.abandonRest(Exchange::abandon);
      refuse(exchange);
    }
  }

  @Override
  public boolean isBusy() {
    return state != Http1State.OPEN || receiving || !exchanges.isEmpty();
  }

  @Override
  public boolean isUnused() {
    return !used;
  }

  @Override
  public boolean hasPartOfRequest() {
    return partialHead.isHeld();
  }

  @Override
  public void end() {
    state = Http1State.ENDED;
    // While the peer still sends its request, closing would reset the response away.
    if (!receiving) {
      connection.nothingOwed();
    }
    ConnectionEnd.begin(ctx.channel());
  }

  /** The peer has half-closed, and the connection is open all the same: nothing more will come. */
  void inputShutdown() {
    partialHead.inputShutdown();
    if (state == Http1State.ENDED || (gate.isEnding() && !isBusy())) {
      ctx.close();
    }
  }

  /** Returns whether our FIN is out, or on its way. */
  boolean hasEnded() {
    return state == Http1State.ENDED;
  }

  /** The channel is gone, or no longer ours. */
  void abandon() {
    exchanges.abandon(Exchange::abandon);
    permits.close();
    if (upgraded != null) {
      upgraded.ended();
    }
  }
}
