package io.lastcall.netty;

import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The responses that the adapter makes on HTTP/2. The caller flushes. */
final class Http2Answers {
  private Http2Answers() {}

  static ProbeRequest probe(Http2Headers request) {
    return ProbeRequest.of(
        String.valueOf(request.method()),
        String.valueOf(request.path()),
        name -> {
          CharSequence value = request.get(name.toLowerCase(Locale.ROOT));
          return value == null ? null : value.toString();
        });
  }

  static void probe(ChannelHandlerContext ctx, Http2Exchange exchange, ProbeAnswer answer) {
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

  static void refusal(ChannelHandlerContext ctx, Http2Exchange exchange) {
    Http2Headers headers = status(RequestGate.REFUSED_STATUS);
    headers.setInt(HttpHeaderNames.RETRY_AFTER, RequestGate.RETRY_AFTER_SECONDS);
    ctx.write(
        new DefaultHttp2HeadersFrame(headers, true).stream(exchange.frameStream()),
        exchange.ends(ctx.newPromise()));
  }

  private static Http2Headers status(int status) {
    return new DefaultHttp2Headers().status(AsciiString.of(Integer.toString(status)));
  }

  /**
   * Returns the kind of a response that is not in flight but long-lived: an event stream, or a
   * tunnel (RFC 9113, section 8.5; RFC 8441 for WebSockets). Null for any other.
   */
  static @Nullable String longLivedKind(
      boolean connect, CharSequence status, Http2Headers response) {
    CharSequence type = response.get(HttpHeaderNames.CONTENT_TYPE);
    if (type != null
        && AsciiString.regionMatches(
            type, true, 0, Answers.EVENT_STREAM, 0, Answers.EVENT_STREAM.length())) {
      return "sse";
    }
    return connect && status.charAt(0) == '2' ? "tunnel" : null;
  }
}
