package io.lastcall.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpObjectDecoder;
import io.netty.handler.codec.http.HttpObjectEncoder;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the adapter's handler right after the codec of a connection whose pipeline a framework
 * builds, and removes itself. The codec is there from the start, or is added with the last byte of
 * a TLS handshake or of a PROXY header; with the last byte of HTTP/2's preface it replaces
 * HTTP/1.1's. So bytes that may belong to these are passed on one by one: no request is among them.
 */
final class Placement extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(Placement.class);

  /** Optional: a server may speak HTTP/1.1 alone. Classes that use its types cannot ask. */
  static final boolean HTTP2 = isHttp2OnClassPath();

  private static final AtomicBoolean warned = new AtomicBoolean();

  private final NettyDrain drain;
  private final Beginning beginning = new Beginning();

  Placement(NettyDrain drain) {
    this.drain = drain;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    for (Map.Entry<String, ChannelHandler> entry : ctx.pipeline()) {
      if (entry.getValue() == this) {
        return;
      }
      if (isHttp1(entry.getValue()) || isHttp2(entry.getValue())) {
        throw Misplaced.handler(ctx, "one in front of the codec: add it first");
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    while (bytes.isReadable() && !isDone(ctx) && !place(ctx, bytes)) {
      beginning.add(bytes);
      ctx.fireChannelRead(bytes.readRetainedSlice(1));
    }
    if (bytes.isReadable()) {
      ctx.fireChannelRead(bytes);
    } else {
      bytes.release();
      placeBehindHttp2(ctx);
    }
  }

  /** Returns whether this handler is removed, or reads TLS records here. */
  private boolean isDone(ChannelHandlerContext ctx) {
    if (!ctx.isRemoved() && beginning.isTooLong()) {
      ctx.pipeline().remove(this);
      if (warned.compareAndSet(false, true)) {
        log.warn(
            "No HttpServerCodec and no Http2FrameCodec in the pipeline {}: what such connections"
                + " carry is not waited for",
            ctx.pipeline().names());
      }
    }
    return ctx.isRemoved() || BehindTls.isAwaited(ctx, () -> new Placement(drain));
  }

  /** By the end of the handshake ALPN has chosen. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    ctx.fireUserEventTriggered(event);
    if (event instanceof SslHandshakeCompletionEvent && !placeBehindHttp2(ctx)) {
      placeBehindHttp1(ctx);
    }
  }

  private boolean place(ChannelHandlerContext ctx, ByteBuf next) {
    return placeBehindHttp2(ctx) || (beginning.isHttp1With(next) && placeBehindHttp1(ctx));
  }

  private boolean placeBehindHttp2(ChannelHandlerContext ctx) {
    return placeBehind(Placement::isHttp2, ctx, drain::http2Handler);
  }

  private boolean placeBehindHttp1(ChannelHandlerContext ctx) {
    return placeBehind(Placement::isHttp1, ctx, drain::httpHandler);
  }

  private boolean placeBehind(
      Predicate<ChannelHandler> codec,
      ChannelHandlerContext ctx,
      Supplier<ChannelHandler> handler) {
    ChannelPipeline pipeline = ctx.pipeline();
    String last = null;
    for (Map.Entry<String, ChannelHandler> entry : pipeline) {
      if (codec.test(entry.getValue())) {
        last = entry.getKey();
      }
    }
    if (last == null || ctx.isRemoved()) {
      return false;
    }
    pipeline.addAfter(last, "lastcall", handler.get());
    pipeline.remove(this);
    return true;
  }

  private static boolean isHttp1(ChannelHandler handler) {
    return handler instanceof HttpServerCodec
        || handler instanceof HttpObjectDecoder
        || handler instanceof HttpObjectEncoder;
  }

  private static boolean isHttp2(ChannelHandler handler) {
    return HTTP2 && handler instanceof Http2FrameCodec;
  }

  private static boolean isHttp2OnClassPath() {
    try {
      Class.forName(
          "io.netty.handler.codec.http2.Http2FrameCodec", false, Placement.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException none) {
      return false;
    }
  }
}
