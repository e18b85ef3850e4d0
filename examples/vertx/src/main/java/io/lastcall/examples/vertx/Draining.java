package io.lastcall.examples.vertx;

import io.lastcall.netty.NettyDrain;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http2.Http2FrameCodec;

/**
 * Puts the library's handler right behind the codec of a connection without TLS. For HTTP/1.1 the
 * codec is there when the first bytes come. For HTTP/2, Vert.x adds it within the read of the
 * preface's last byte, and behind a PROXY protocol header for either within that of the header's,
 * so these bytes go ahead one by one: no request is among them.
 */
final class Draining extends ChannelInboundHandlerAdapter {
  /** The length of HTTP/2's preface (RFC 9113, section 3.4). */
  private static final int PREFACE = 24;

  /** The longest header that a proxy is to send (PROXY protocol, section 2). */
  private static final int PROXY_HEADER = 536;

  private static final int LONGEST = PROXY_HEADER + PREFACE;

  private final NettyDrain drain;
  private int ahead;

  /** Goes first into the pipeline of a connection that was just accepted. */
  Draining(NettyDrain drain) {
    this.drain = drain;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    boolean placed = place(ctx.pipeline());
    while (!placed && ahead < LONGEST && in.isReadable()) {
      ahead++;
      ctx.fireChannelRead(in.readRetainedSlice(1));
      placed = place(ctx.pipeline());
    }
    if (placed || ahead == LONGEST) {
      // In the second case it is no HTTP server of ours.
      ctx.pipeline().remove(this);
    }
    if (in.isReadable()) {
      ctx.fireChannelRead(in);
    } else {
      in.release();
    }
  }

  private boolean place(ChannelPipeline pipeline) {
    ChannelHandlerContext http1 = pipeline.context(HttpResponseEncoder.class);
    ChannelHandlerContext http2 = pipeline.context(Http2FrameCodec.class);
    if (http1 != null) {
      pipeline.addAfter(http1.name(), "lastcall", drain.httpHandler());
    } else if (http2 != null) {
      pipeline.addAfter(http2.name(), "lastcall", drain.http2Handler());
    }
    return http1 != null || http2 != null;
  }
}
