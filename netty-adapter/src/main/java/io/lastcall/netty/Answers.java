package io.lastcall.netty;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The responses that the adapter makes or marks. */
final class Answers {
  private Answers() {}

  /** A request that came when the gate no longer let anybody in. */
  static FullHttpResponse refusal() {
    FullHttpResponse response = empty(RequestGate.REFUSED_STATUS);
    RequestGate.refusalHeaders(false).forEach(response.headers()::set);
    return response;
  }

  /** Returns the answer to a probe: known at once, but for {@code /prestop}. */
  static CompletableFuture<ProbeAnswer> probe(Probes probes, HttpRequest request) {
    return probes
        .answer(ProbeRequest.of(request.method().name(), request.uri(), request.headers()::get))
        .toCompletableFuture();
  }

  /**
   * Hands on an answer when it is known.
   *
   * @param whenKnown called on the event loop, unless the connection is gone by then
   */
  static void onEventLoop(
      ChannelHandlerContext ctx,
      CompletableFuture<ProbeAnswer> known,
      Consumer<ProbeAnswer> whenKnown) {
    if (known.isDone()) {
      whenKnown.accept(known.join());
      return;
    }
    known.thenAcceptAsync(
        late -> {
          if (ctx.channel().isActive()) {
            whenKnown.accept(late);
          }
        },
        ctx.executor());
  }

  static FullHttpResponse probe(ProbeAnswer answer) {
    ByteBuf body = Unpooled.copiedBuffer(answer.body(), StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), body);
    answer.headers().forEach(response.headers()::set);
    return response;
  }

  private static FullHttpResponse empty(int status) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.EMPTY_BUFFER);
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, 0);
    return response;
  }

  /** Only HTTP/1.1 keeps a connection without saying so; others get their answer and a close. */
  static boolean keepsAlive(HttpRequest request) {
    return HttpVersion.HTTP_1_1.equals(request.protocolVersion()) && HttpUtil.isKeepAlive(request);
  }

  /**
   * Returns {@code response} with {@code Connection: close}. The header is set in the application's
   * own object, as Netty's {@code HttpServerKeepAliveHandler} does: one response for several
   * connections must be a copy. Where its headers are read-only this makes a copy; but not of a
   * head with content that is no {@code FullHttpResponse} (Vert.x has such): that one is returned
   * as it is, and its client learns of the end by the end.
   */
  static HttpResponse closing(HttpResponse response) {
    try {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      return response;
    } catch (UnsupportedOperationException readOnly) {
      if (response instanceof HttpContent && !(response instanceof FullHttpResponse)) {
        return response;
      }
      HttpHeaders headers = new DefaultHttpHeaders().add(response.headers());
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      return response instanceof FullHttpResponse full
          ? new DefaultFullHttpResponse(
              full.protocolVersion(),
              full.status(),
              full.content(),
              headers,
              full.trailingHeaders())
          : new DefaultHttpResponse(response.protocolVersion(), response.status(), headers);
    }
  }

  /** RFC 9110, section 15.2: any number of them, before the response. 101 is the response. */
  static boolean isInterim(HttpResponse response) {
    HttpResponseStatus status = response.status();
    return status.codeClass() == HttpStatusClass.INFORMATIONAL
        && status.code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
  }

  /**
   * Returns the kind of a response that streams without end, and takes the application's mark off
   * it; null if it ends by itself.
   *
   * @param method of its request
   */
  static @Nullable String longLivedKind(CharSequence method, HttpResponse response) {
    HttpHeaders headers = response.headers();
    String mark = headers.get(EndlessResponse.HEADER);
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    boolean endless = EndlessResponse.isKnown(method, response.status().code(), type, mark);
    if (mark != null) {
      takeOff(headers);
    }
    return endless ? kind(type) : null;
  }

  /** A client may see it where the headers are read-only: it means nothing to others. */
  private static void takeOff(HttpHeaders headers) {
    try {
      headers.remove(EndlessResponse.HEADER);
    } catch (UnsupportedOperationException readOnly) {
      // It stays.
    }
  }

  /** Returns the kind of a long-lived response by its Content-Type, for counts and reports. */
  static String kind(@Nullable CharSequence type) {
    return EndlessResponse.isEventStream(type) ? "sse" : "stream";
  }
}
