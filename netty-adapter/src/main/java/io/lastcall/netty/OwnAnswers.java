package io.lastcall.netty;

import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.Probes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import java.util.concurrent.CompletableFuture;
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
    CompletableFuture<ProbeAnswer> known = Answers.probe(probes, request);
    if (!known.isDone() || !Answers.keepsAlive(request)) {
      connection.closeAfterLast();
    }
    Answers.onEventLoop(ctx, known, answer -> answer(exchange, Answers.probe(answer)));
  }

  void refuse(Exchange exchange) {
    exchange.answeredByUs = true;
    answer(exchange, Answers.refusal());
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
