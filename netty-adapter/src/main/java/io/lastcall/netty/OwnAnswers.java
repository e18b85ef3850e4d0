package io.lastcall.netty;

import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The adapter's own answers on one HTTP/1.1 connection, probes and refusals, each when it is its
 * turn. Event loop only.
 */
final class OwnAnswers {
  private final ChannelHandlerContext ctx;
  private final Probes probes;
  private final Exchanges exchanges;
  private final Http1Connection connection;

  /** Each write asks for the next: a client may pipeline more of them than a stack is deep. */
  private boolean answering;

  OwnAnswers(
      ChannelHandlerContext ctx, Probes probes, Exchanges exchanges, Http1Connection connection) {
    this.ctx = ctx;
    this.probes = probes;
    this.exchanges = exchanges;
    this.connection = connection;
  }

  /** A malformed request is the application's to refuse, whatever path it names. */
  boolean isProbe(HttpRequest request) {
    return request.decoderResult().isSuccess() && probes.isProbe(request.uri());
  }

  /**
   * Answers a probe. The connection ends after one that is answered later, such as {@code
   * /prestop}: a kubelet pipelines nothing, and no response could be sent before its answer.
   */
  void probe(Exchange exchange, HttpRequest request) {
    exchange.answeredByUs = true;
    CompletableFuture<ProbeAnswer> known =
        probes
            .answer(ProbeRequest.of(request.method().name(), request.uri(), request.headers()::get))
            .toCompletableFuture();
    if (!known.isDone() || !keepsAlive(request)) {
      connection.closeAfterLast();
    }
    whenKnown(
        ctx,
        known,
        answer ->
            answer(exchange, response(answer.status(), utf8(answer.body()), answer.headers())));
  }

  /** Only HTTP/1.1 keeps a connection without saying so; others get their answer and a close. */
  private static boolean keepsAlive(HttpRequest request) {
    return HttpVersion.HTTP_1_1.equals(request.protocolVersion()) && HttpUtil.isKeepAlive(request);
  }

  /**
   * Hands on a probe's answer, which is known at once, but for {@code /prestop}.
   *
   * @param action called on the event loop, unless the connection is gone by then
   */
  static void whenKnown(
      ChannelHandlerContext ctx,
      CompletableFuture<ProbeAnswer> known,
      Consumer<ProbeAnswer> action) {
    if (known.isDone()) {
      action.accept(known.join());
      return;
    }
    known.thenAcceptAsync(
        late -> {
          if (ctx.channel().isActive()) {
            action.accept(late);
          }
        },
        ctx.executor());
  }

  void refuse(Exchange exchange) {
    exchange.answeredByUs = true;
    FullHttpResponse refusal =
        response(
            RequestGate.REFUSED_STATUS, Unpooled.EMPTY_BUFFER, RequestGate.refusalHeaders(false));
    refusal.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, 0);
    answer(exchange, refusal);
  }

  private static FullHttpResponse response(int status, ByteBuf body, Map<String, String> headers) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
    headers.forEach(response.headers()::set);
    return response;
  }

  private static ByteBuf utf8(String body) {
    return Unpooled.copiedBuffer(body, StandardCharsets.UTF_8);
  }

  /** Keeps the answer, and writes it if it is its turn. */
  private void answer(Exchange exchange, FullHttpResponse answer) {
    exchange.ownAnswer = answer;
    answerNext();
    ctx.flush();
  }

  /** Writes our answers whose turn it is: the first exchange's, and those right after it. */
  void answerNext() {
    if (answering || !isAnswered(exchanges.first())) {
      return;
    }
    answering = true;
    try {
      Exchange exchange = exchanges.first();
      while (exchange != null && exchange.ownAnswer != null) {
        FullHttpResponse answer = exchange.ownAnswer;
        exchange.ownAnswer = null;
        connection.write(exchange, answer, ctx.newPromise());
        exchange = exchanges.first();
      }
    } finally {
      answering = false;
    }
    ctx.flush();
  }

  private static boolean isAnswered(@Nullable Exchange exchange) {
    return exchange != null && exchange.ownAnswer != null;
  }
}
