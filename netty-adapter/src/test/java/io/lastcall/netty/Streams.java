package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Answers {@code GET /1000} with so many kilobytes as {@code ChunkedWriteHandler} does: on and on,
 * as long as the channel takes it. One after the other.
 */
final class Streams extends ChannelInboundHandlerAdapter {
  private static final Pattern PIECE = Pattern.compile("#(\\d+)");

  /** How many kilobytes of the last response the channel took at once. */
  int firstGo;

  private int size;
  private int written;

  /** Returns the numbers of the kilobytes, as they were received. */
  static List<Integer> pieces(String received) {
    return PIECE.matcher(received).results().map(Streams::number).toList();
  }

  private static Integer number(MatchResult piece) {
    return Integer.valueOf(piece.group(1));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      size = Integer.parseInt(request.uri().substring(1));
      written = 0;
      ctx.writeAndFlush(Harness.head("text/plain"));
      channelWritabilityChanged(ctx);
      firstGo = written;
    }
    ReferenceCountUtil.release(message);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    while (written < size && ctx.channel().isWritable()) {
      written++;
      String piece = "%1024s".formatted("#" + written);
      ctx.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer(piece, UTF_8)));
      if (written == size) {
        ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      }
    }
  }
}
