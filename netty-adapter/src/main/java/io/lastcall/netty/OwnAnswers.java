package io.lastcall.netty;

import io.lastcall.probe.Probes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the adapter answers itself on one HTTP/1.1 connection, probes and refusals, each when it is
 * its turn. What the application writes meanwhile for requests behind it waits. Event loop only.
 */
final class OwnAnswers {
  private final ChannelHandlerContext ctx;
  private final Probes probes;
  private final Exchanges exchanges;
  private final Http1Connection connection;

  /** Writes of the application behind an answer of ours that is still to come. */
  private final HeldWrites waiting;

  /** Each write asks for the next: a client may pipeline more of them than a stack is deep. */
  private boolean answering;

  OwnAnswers(
      ChannelHandlerContext ctx,
      Probes probes,
      Exchanges exchanges,
      Http1Connection connection,
      HeldBytes heldBytes) {
    this.ctx = ctx;
    this.probes = probes;
    this.exchanges = exchanges;
    this.connection = connection;
    this.waiting = new HeldWrites(heldBytes);
  }

  /** A malformed request is the application's to refuse, whatever path it names. */
  boolean isProbe(HttpRequest request) {
    return request.decoderResult().isSuccess() && probes.isProbe(request.uri());
  }

  void probe(Exchange exchange, HttpRequest request) {
    exchange.answeredByUs = true;
    Answers.probe(probes, request, ctx, answer -> answer(exchange, answer));
  }

  void refuse(Exchange exchange) {
    exchange.answeredByUs = true;
    answer(exchange, Answers.refusal());
  }

  /** What is ours to answer has its answer, now or later; it is written when it is its turn. */
  private void answer(Exchange exchange, FullHttpResponse answer) {
    exchange.ownAnswer = answer;
    answerNext();
    // What the application has written for the requests behind it.
    while (!waiting.isEmpty() && !isOwn(exchanges.first())) {
      waiting.releaseFirst(connection::write);
    }
    ctx.flush();
    waiting.letWriteOn();
  }

  private static boolean isOwn(@Nullable Exchange exchange) {
    return exchange != null && exchange.answeredByUs;
  }

  /** Answers what is ours to answer, if it is its turn, and what is ours right behind it. */
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

  /** Holds what the application writes while it is our turn. */
  void hold(Object message, ChannelPromise promise) {
    waiting.add(message, promise);
  }

  /** The connection is gone. */
  void fail() {
    waiting.fail();
  }
}
