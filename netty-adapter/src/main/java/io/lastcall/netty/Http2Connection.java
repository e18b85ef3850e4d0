package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.lastcall.inflight.EventLoopPermits;
import io.lastcall.inflight.RequestGate;
import io.lastcall.spi.Http2Leaving;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one HTTP/2 connection. Event loop only.
 *
 * <p>A stream is in flight from its request's headers to the write future of its response's end, or
 * to its reset. A request without a body needs no listener: Netty closes its stream when the last
 * write is done. Except after another DATA frame: frames that wait for a window are merged under
 * the first one's future, and the stream may be closed too early.
 */
final class Http2Connection implements Protocol {
  private final ChannelHandlerContext ctx;
  private final Http2Writer writer;
  private final RequestGate gate;
  private final Connections connections;
  private final TrackedConnection connection;
  private final ReadClock clock = new ReadClock();
  private final Http2Streams streams = new Http2Streams();
  private final EventLoopPermits<Http2Exchange> permits;
  private final Http2OwnAnswers own;
  private final Http2End end;
  private final Http2Leaving leaving;

  /** Opened after the shutdown had begun: the close is announced by its first response. */
  private boolean unannounced;

  /**
   * @param ctx the context of the handler after the codec
   */
  Http2Connection(ChannelHandlerContext ctx, Http2Writer writer, NettyDrain drain) {
    this.ctx = ctx;
    this.writer = writer;
    this.gate = drain.gate;
    this.connections = drain.connections;
    this.connection = TrackedConnection.of(ctx);
    this.permits =
        new EventLoopPermits<>(gate, connection.accepted(gate), () -> new Http2Exchange(this));
    this.own = new Http2OwnAnswers(writer, drain.probes, streams);
    this.end = new Http2End(ctx, connection, streams);
    this.leaving = end.leaving;
    this.unannounced = gate.isEnding();
  }

  /** Returns whether a PING that came back was not for the application. */
  boolean isAnsweredBy(long ping) {
    return leaving.acknowledged(ping);
  }

  /** A request's head, or its trailers. Returns whether they are for the application. */
  boolean read(int stream, Http2Headers headers, boolean end) {
    Http2Exchange exchange = streams.get(stream);
    if (exchange == null) {
      exchange = permits.take();
      exchange.begin(stream, headers, end, clock.now());
      streams.add(exchange);
      letIn(exchange, headers);
    } else {
      exchange.received |= end;
    }
    return !exchange.answeredByUs;
  }

  void readComplete() {
    clock.readComplete();
  }

  private void letIn(Http2Exchange exchange, Http2Headers headers) {
    if (own.isProbe(exchange)) {
      own.probe(exchange, headers);
    } else if (!exchange.enter()) {
      own.refuse(exchange);
    }
  }

  /** Part of a request's body. Returns whether it is for the application. */
  boolean read(int stream, boolean end) {
    Http2Exchange exchange = streams.get(stream);
    if (exchange == null) {
      return true;
    }
    exchange.received |= end;
    return !exchange.answeredByUs;
  }

  void write(Http2HeadersFrame headers, ChannelPromise promise) {
    Http2Exchange exchange = streams.get(headers.stream().id());
    if (exchange != null && !exchange.answeredByUs) {
      head(exchange, headers);
    }
    write(exchange, headers, headers.isEndStream(), promise);
    // The stream may have turned out to be long-lived, and then it is not waited for.
    leaving.check();
  }

  void write(Http2DataFrame data, ChannelPromise promise) {
    Http2Exchange exchange = streams.get(data.stream().id());
    boolean end = data.isEndStream();
    if (exchange != null && !end) {
      exchange.bodyBegun = true;
    }
    write(exchange, data, end, promise);
  }

  /** Part of a response. The application may still write after an end that we wrote. */
  private void write(
      @Nullable Http2Exchange exchange, Object part, boolean end, ChannelPromise promise) {
    if (exchange == null) {
      ctx.write(part, promise);
    } else if (exchange.answeredByUs || exchange.endWritten) {
      Unsent.fail(part, promise);
    } else {
      ctx.write(part, end ? exchange.ends(promise.unvoid()) : promise);
    }
  }

  /** Anything else, such as a reset or a WINDOW_UPDATE. */
  void write(Object message, ChannelPromise promise) {
    Http2FrameStream stream = message instanceof Http2StreamFrame frame ? frame.stream() : null;
    Http2Exchange exchange = stream == null ? null : streams.get(stream.id());
    if (exchange != null && exchange.answeredByUs) {
      Unsent.fail(message, promise);
    } else {
      ctx.write(message, promise);
    }
  }

  private void head(Http2Exchange exchange, Http2HeadersFrame headers) {
    CharSequence status = headers.headers().status();
    if (exchange.headWritten || status == null || status.charAt(0) == '1') {
      return;
    }
    exchange.headWritten = true;
    if (unannounced && gate.shouldCloseConnection()) {
      announceClose();
    }
    String kind = headers.isEndStream() ? null : exchange.longLivedKind(status, headers.headers());
    if (kind != null) {
      exchange.release();
      exchange.stream =
          LongLived.register(
              connections,
              kind,
              ctx,
              () -> endStream(exchange),
              () -> writer.cancel(exchange.id()));
    }
  }

  private void endStream(Http2Exchange exchange) {
    if (!exchange.closed && !exchange.endWritten) {
      writer.end(exchange.id(), Unpooled.EMPTY_BUFFER, exchange.ends(writer.newPromise()));
      writer.flush();
    }
  }

  /** The end of a response is out, or will never be. */
  void responseLeft(Http2Exchange exchange) {
    if (exchange.closed) {
      remove(exchange);
      return;
    }
    exchange.release();
    if (exchange.answeredByUs) {
      // After this read, which may contain the end of the request.
      int stream = exchange.id();
      ctx.executor().execute(() -> dropRest(streams.get(stream)));
    } else if (connection.isLastCall()) {
      dropRest(exchange);
    }
    leaving.check();
  }

  /**
   * Resets a stream whose response is out and whose request is still being sent (RFC 9113, section
   * 8.1): the answer is ours, or the connection is about to end.
   */
  private void dropRest(@Nullable Http2Exchange exchange) {
    if (exchange != null && exchange.endSent && !exchange.received && !exchange.closed) {
      writer.resetAnswered(exchange.id());
    }
  }

  void closed(int stream) {
    Http2Exchange exchange = streams.get(stream);
    if (exchange != null) {
      exchange.closed = true;
      if (!exchange.awaitsEnd()) {
        remove(exchange);
      }
    }
  }

  /** The stream is closed and nothing of it is still to be sent. */
  private void remove(Http2Exchange exchange) {
    if (streams.remove(exchange)) {
      finish(exchange);
      leaving.check();
    }
  }

  private void finish(Http2Exchange exchange) {
    exchange.closed = true;
    exchange.release();
    if (exchange.stream != null) {
      exchange.stream.ended();
    }
    if (exchange.isReusable()) {
      exchange.forget();
      permits.keep(exchange);
    } else {
      permits.drop(exchange);
    }
  }

  @Override
  public void announceClose() {
    unannounced = false;
    if (connection.isLastCall()) {
      streams.open().forEach(this::dropRest);
    }
    leaving.announceClose();
  }

  @Override
  public boolean isMultiplexed() {
    return true;
  }

  @Override
  public void end() {
    end.end();
  }

  @Override
  public void forceClose() {
    for (Http2Exchange exchange : streams.open()) {
      // A flush may find out that the connection is gone.
      if (!exchange.headWritten && !exchange.answeredByUs && !exchange.closed) {
        own.refuse(exchange);
      }
    }
    announceClose();
  }

  /** It ends by itself, when its last stream has. */
  @Override
  public boolean isBusy() {
    return true;
  }

  /** The channel is gone, or no longer ours. */
  void abandon() {
    streams.open().forEach(this::finish);
    streams.clear();
    permits.close();
  }
}
