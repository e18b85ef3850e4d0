package io.lastcall.subjects.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.Future;
import java.util.List;

/**
 * The application: it knows nothing of shutdowns. One per connection, for one request at a time.
 */
final class Routes extends SimpleChannelInboundHandler<HttpObject> {
  private static final int PIECE_MILLIS = 100;
  private static final int EVENT_MILLIS = 500;
  private static final String BAD_REQUEST = "bad request\n";

  private boolean uploading;
  private long uploaded;

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (message.decoderResult().isFailure()) {
      // Behind it the codec reads nothing more.
      FullHttpResponse response = text(HttpResponseStatus.BAD_REQUEST, BAD_REQUEST);
      HttpUtil.setKeepAlive(response, false);
      ctx.writeAndFlush(response);
      return;
    }
    if (message instanceof HttpRequest request) {
      try {
        route(ctx, request);
      } catch (IllegalArgumentException e) {
        // Of the path or the query.
        answer(ctx, HttpResponseStatus.BAD_REQUEST, BAD_REQUEST);
      }
    }
    if (uploading && message instanceof HttpContent content) {
      uploaded += content.content().readableBytes();
      if (message instanceof LastHttpContent) {
        uploading = false;
        answer(ctx, HttpResponseStatus.OK, Long.toString(uploaded));
      }
    }
  }

  private void route(ChannelHandlerContext ctx, HttpRequest request) {
    QueryStringDecoder uri = new QueryStringDecoder(originForm(request.uri()));
    switch (uri.path()) {
      case "/fast" -> answer(ctx, HttpResponseStatus.OK, "fast\n");
      case "/work" ->
          ctx.executor()
              .schedule(
                  () -> answer(ctx, HttpResponseStatus.OK, "w".repeat(1_000)),
                  millis(uri),
                  MILLISECONDS);
      case "/stream" -> stream(ctx, request.method(), millis(uri) / PIECE_MILLIS);
      case "/upload" -> upload(ctx, request);
      case "/sse" -> events(ctx);
      // Reached only without the library, which answers them itself.
      case "/livez", "/readyz", "/startupz" -> answer(ctx, HttpResponseStatus.OK, "ok\n");
      default -> answer(ctx, HttpResponseStatus.NOT_FOUND, "not found\n");
    }
  }

  /** A server accepts {@code http://host/path} too (RFC 9112, section 3.2.2). */
  private static String originForm(String target) {
    int authority = target.startsWith("/") ? -1 : target.indexOf("://");
    if (authority < 0) {
      return target;
    }
    int path = target.indexOf('/', authority + "://".length());
    return path < 0 ? "/" : target.substring(path);
  }

  private void upload(ChannelHandlerContext ctx, HttpRequest request) {
    uploading = true;
    uploaded = 0;
    if (HttpUtil.is100ContinueExpected(request)) {
      ctx.writeAndFlush(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
  }

  private static long millis(QueryStringDecoder uri) {
    return Long.parseLong(uri.parameters().getOrDefault("ms", List.of("0")).get(0));
  }

  /** In answer to POST each piece is an event. */
  private static void stream(ChannelHandlerContext ctx, HttpMethod method, long pieces) {
    boolean events = HttpMethod.POST.equals(method);
    ctx.writeAndFlush(
        chunked(events ? HttpHeaderValues.TEXT_EVENT_STREAM : HttpHeaderValues.TEXT_PLAIN));
    sendPiece(ctx, events ? "data:" + "s".repeat(93) + "\n\n" : "s".repeat(100), pieces);
  }

  private static void sendPiece(ChannelHandlerContext ctx, String piece, long left) {
    if (left <= 0) {
      ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      return;
    }
    ctx.executor()
        .schedule(
            () -> {
              if (ctx.channel().isActive()) {
                ctx.writeAndFlush(new DefaultHttpContent(bytes(piece)));
                sendPiece(ctx, piece, left - 1);
              }
            },
            PIECE_MILLIS,
            MILLISECONDS);
  }

  private static void events(ChannelHandlerContext ctx) {
    ctx.writeAndFlush(chunked(HttpHeaderValues.TEXT_EVENT_STREAM));
    Future<?> ticks =
        ctx.executor()
            .scheduleAtFixedRate(
                () -> ctx.writeAndFlush(new DefaultHttpContent(bytes("data: tick\n\n"))),
                0,
                EVENT_MILLIS,
                MILLISECONDS);
    ctx.channel().closeFuture().addListener(closed -> ticks.cancel(false));
  }

  private static HttpResponse chunked(CharSequence contentType) {
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
    response.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    return response;
  }

  private static void answer(ChannelHandlerContext ctx, HttpResponseStatus status, String body) {
    ctx.writeAndFlush(text(status, body));
  }

  private static FullHttpResponse text(HttpResponseStatus status, String body) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, bytes(body));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN);
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
    return response;
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, US_ASCII);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
