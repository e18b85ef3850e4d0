package io.lastcall.faults.subject;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The same paths as {@link Requests}; an act runs on the event loop. */
final class NettyRequests extends SimpleChannelInboundHandler<HttpObject> {
  private static final int EVENT_MILLIS = 200;

  private final Control control;

  NettyRequests(Control control) {
    this.control = control;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (message instanceof HttpRequest request) {
      QueryStringDecoder uri = new QueryStringDecoder(request.uri());
      switch (uri.path()) {
        case "/fast" -> answer(ctx, HttpResponseStatus.OK);
        case "/work" -> work(ctx, Long.parseLong(parameter(uri, "ms")));
        case "/do" -> act(ctx, parameter(uri, "act"));
        case "/async", "/never" -> control.say("serving");
        case "/big" -> big(ctx);
        case "/events" -> events(ctx);
        case "/stream" -> stream(ctx, Integer.parseInt(parameter(uri, "ms")));
        default -> answer(ctx, HttpResponseStatus.NOT_FOUND);
      }
    }
  }

  private static String parameter(QueryStringDecoder uri, String name) {
    return uri.parameters().getOrDefault(name, List.of("")).get(0);
  }

  private void work(ChannelHandlerContext ctx, long millis) {
    control.say("serving");
    ctx.executor()
        .schedule(() -> answer(ctx, HttpResponseStatus.OK), millis, TimeUnit.MILLISECONDS);
  }

  private void act(ChannelHandlerContext ctx, String name) {
    control.say("act " + name);
    Places.act(name).run();
    answer(ctx, HttpResponseStatus.OK);
  }

  private void big(ChannelHandlerContext ctx) {
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, Server.BIG_BYTES);
    ctx.write(head);
    ByteBuf all = Unpooled.wrappedBuffer(new byte[Server.BIG_BYTES]);
    ctx.writeAndFlush(new DefaultLastHttpContent(all));
    control.say("serving");
  }

  private void events(ChannelHandlerContext ctx) {
    beginEvents(ctx);
    ctx.executor()
        .scheduleAtFixedRate(
            () -> ctx.writeAndFlush(new DefaultHttpContent(text("data: tick\n\n"))),
            0,
            EVENT_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void stream(ChannelHandlerContext ctx, int millis) {
    beginEvents(ctx);
    streamOn(ctx, millis / EVENT_MILLIS);
  }

  private static void streamOn(ChannelHandlerContext ctx, int tokens) {
    if (tokens == 0) {
      ctx.writeAndFlush(new DefaultLastHttpContent(text("data: [DONE]\n\n")));
      return;
    }
    ctx.writeAndFlush(new DefaultHttpContent(text("data: token\n\n")));
    ctx.executor().schedule(() -> streamOn(ctx, tokens - 1), EVENT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void beginEvents(ChannelHandlerContext ctx) {
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_EVENT_STREAM);
    head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    ctx.writeAndFlush(head);
    control.say("serving");
  }

  private static void answer(ChannelHandlerContext ctx, HttpResponseStatus status) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, text("done\n"));
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
    ctx.writeAndFlush(response);
  }

  private static ByteBuf text(String text) {
    return Unpooled.copiedBuffer(text, US_ASCII);
  }

  /** What a handler throws is answered, as frameworks do. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    answer(ctx, HttpResponseStatus.INTERNAL_SERVER_ERROR);
  }
}
