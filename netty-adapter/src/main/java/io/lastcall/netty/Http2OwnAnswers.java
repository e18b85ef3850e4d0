package io.lastcall.netty;

import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Locale;

/** The adapter's own answers on one HTTP/2 connection: probes and refusals. Event loop only. */
final class Http2OwnAnswers {
  private final Http2Writer writer;
  private final Probes probes;
  private final Http2Streams streams;

  Http2OwnAnswers(Http2Writer writer, Probes probes, Http2Streams streams) {
    this.writer = writer;
    this.probes = probes;
    this.streams = streams;
  }

  boolean isProbe(Http2Exchange exchange) {
    return probes.isProbe(exchange.uri());
  }

  void probe(Http2Exchange exchange, Http2Headers request) {
    exchange.answeredByUs = true;
    int stream = exchange.id();
    OwnAnswers.whenKnown(
        writer.ctx(),
        probes.answer(probe(request)).toCompletableFuture(),
        answer -> answer(stream, answer));
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
  private void answer(int stream, ProbeAnswer answer) {
    Http2Exchange exchange = streams.get(stream);
    if (exchange != null) {
      write(exchange, answer);
      writer.flush();
    }
  }

  private void write(Http2Exchange exchange, ProbeAnswer answer) {
    Http2Headers headers = status(answer.status());
    // RFC 9113, section 8.2: field names are in lower case.
    answer.headers().forEach((name, value) -> headers.set(name.toLowerCase(Locale.ROOT), value));
    writer.headers(exchange.id(), headers, false, writer.newPromise());
    writer.end(
        exchange.id(),
        ByteBufUtil.writeUtf8(writer.ctx().alloc(), answer.body()),
        exchange.ends(writer.newPromise()));
  }

  void refuse(Http2Exchange exchange) {
    exchange.answeredByUs = true;
    Http2Headers headers = status(RequestGate.REFUSED_STATUS);
    RequestGate.refusalHeaders(true).forEach((name, value) -> headers.set(name, value));
    writer.headers(exchange.id(), headers, true, exchange.ends(writer.newPromise()));
    writer.flush();
  }

  private static Http2Headers status(int status) {
    return new DefaultHttp2Headers().status(AsciiString.of(Integer.toString(status)));
  }
}
