package io.lastcall.subjects.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * HTTP/1.1 and HTTP/2 on one port without TLS: what begins with {@code PRI} is HTTP/2 (RFC 9113,
 * section 3.4), since no method of HTTP/1.1 does. With TLS, ALPN says it.
 */
final class ByPreface extends ByteToMessageDecoder {
  private static final String PREFACE = "PRI";

  private final Consumer<ChannelPipeline> http1;
  private final Consumer<ChannelPipeline> http2;

  ByPreface(Consumer<ChannelPipeline> http1, Consumer<ChannelPipeline> http2) {
    this.http1 = http1;
    this.http2 = http2;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < PREFACE.length()) {
      return;
    }
    String start = in.toString(in.readerIndex(), PREFACE.length(), StandardCharsets.US_ASCII);
    (start.equals(PREFACE) ? http2 : http1).accept(ctx.pipeline());
    ctx.pipeline().remove(this);
  }
}
