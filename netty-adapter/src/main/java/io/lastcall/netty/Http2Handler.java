package io.lastcall.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sits between one connection's {@code Http2FrameCodec} and whatever serves its streams, and passes
 * what is written to {@link Http2Connection}; what is read comes there by {@link Http2Arrivals}.
 */
final class Http2Handler extends ChannelDuplexHandler {
  private final NettyDrain drain;

  @SuppressWarnings("NullAway.Init") // by handlerAdded, before any event
  private Http2Connection http;

  /** Null where the handler could not be added. */
  private @Nullable Http2Arrivals arrivals;

  Http2Handler(NettyDrain drain) {
    this.drain = drain;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    Http2FrameCodec codec = codec(ctx);
    Http2Writer writer = new Http2Writer(ctx.pipeline().context(codec), codec);
    http = new Http2Connection(ctx, writer, drain);
    arrivals = Http2Arrivals.tell(http, codec);
    TrackedConnection.of(ctx).speaks(http);
  }

  private static Http2FrameCodec codec(ChannelHandlerContext ctx) {
    Http2FrameCodec found = null;
    for (Map.Entry<String, ChannelHandler> entry : ctx.pipeline()) {
      ChannelHandler handler = entry.getValue();
      if (handler == ctx.handler()) {
        break;
      }
      if (handler instanceof Http2Handler || keepsStreams(handler)) {
        throw misplaced(ctx);
      }
      if (handler instanceof Http2FrameCodec codec) {
        found = codec;
      }
    }
    if (found == null) {
      throw misplaced(ctx);
    }
    return found;
  }

  /** Hands the frames of streams to channels of theirs, and none of them on. */
  @SuppressWarnings("deprecation") // Http2MultiplexCodec is, and is an Http2FrameCodec
  private static boolean keepsStreams(ChannelHandler handler) {
    return handler instanceof Http2MultiplexHandler
        || handler instanceof io.netty.handler.codec.http2.Http2MultiplexCodec;
  }

  private static IllegalStateException misplaced(ChannelHandlerContext ctx) {
    return Misplaced.handler(
        ctx,
        "one with an Http2FrameCodec: add it right behind that, in front of an"
            + " Http2MultiplexHandler; Http2MultiplexCodec is both, and has no such place");
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    http.readComplete();
    ctx.fireChannelReadComplete();
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    Http2HeadersFrame headers = Http2Frames.headers(message);
    Http2DataFrame data = Http2Frames.data(message);
    if (headers != null) {
      http.write(headers, promise);
    } else if (data != null) {
      http.write(data, promise);
    } else {
      http.write(message, promise);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    http.abandon();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (arrivals != null) {
      arrivals.stop();
      http.abandon();
    }
  }
}
