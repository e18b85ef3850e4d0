package io.lastcall.netty;

import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.AsciiString;
import java.util.Locale;

/**
 * What the adapter answers itself on one HTTP/2 connection: probes and refusals. Event loop only.
 */
final class Http2OwnAnswers {
  private final ChannelHandlerContext ctx;
  private final Probes probes;
  private final Http2Streams streams;

  Http2OwnAnswers(ChannelHandlerContext ctx, Probes probes, Http2Streams streams) {
    this.ctx = ctx;
    this.probes = probes;
    this.streams = streams;
  }

  boolean isProbe(Http2Exchange exchange) {
    return probes.isProbe(exchange.uri());
  }

  void probe(Http2Exchange exchange, Http2HeadersFrame request) {
    exchange.answeredByUs = true;
    Answers.onEventLoop(
        ctx, probes.answer(probe(request.headers())), answer -> answer(request.stream(), answer));
  }

  private static ProbeRequest probe(Http2Headers request) {
    return ProbeRequest.of(
        String.valueOf(request.method()),
        String.valueOf(request.path()),
        name -> {
          CharSequence value = request.get(name.toLowerCase(Locale.ROOT));
          return value == null ? null : value.toString();
        });
  }

  /** The stream may be closed by the time a probe's checks have run. */
  private void answer(Http2FrameStream stream, ProbeAnswer answer) {
    Http2Exchange exchange = streams.get(stream);
    if (exchange != null && exchange.frameStream() == stream) {
      write(exchange, answer);
      ctx.flush();
    }
  }

  private void write(Http2Exchange exchange, ProbeAnswer answer) {
    Http2FrameStream stream = exchange.frameStream();
    Http2Headers headers = status(answer.status());
    // RFC 9113, section 8.2: field names are in lower case.
    answer.headers().forEach((name, value) -> headers.set(name.toLowerCase(Locale.ROOT), value));
    ctx.write(new DefaultHttp2HeadersFrame(headers).stream(stream));
    ctx.write(
        new DefaultHttp2DataFrame(ByteBufUtil.writeUtf8(ctx.alloc(), answer.body()), true)
            .stream(stream),
        exchange.ends(ctx.newPromise()));
  }

  void refuse(Http2Exchange exchange) {
    exchange.answeredByUs = true;
    Http2Headers headers = status(RequestGate.REFUSED_STATUS);
    headers.setInt(HttpHeaderNames.RETRY_AFTER, RequestGate.RETRY_AFTER_SECONDS);
    ctx.writeAndFlush(
        new DefaultHttp2HeadersFrame(headers, true).stream(exchange.frameStream()),
        exchange.ends(ctx.newPromise()));
  }

  private static Http2Headers status(int status) {
    return new DefaultHttp2Headers().status(AsciiString.of(Integer.toString(status)));
  }

  /** Part of a request that is answered so; gives back what it took of the connection's window. */
  void drop(Http2DataFrame data) {
    int bytes = data.initialFlowControlledBytes();
    ctx.writeAndFlush(new DefaultHttp2WindowUpdateFrame(bytes).stream(data.stream()));
    data.release();
  }
}
