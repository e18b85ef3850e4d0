package io.lastcall.subjects.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.ReferenceCountUtil;

/**
 * The response to a HEAD is its header fields alone (RFC 9110, section 9.3.2). HTTP/1.1's codec
 * sees to that; HTTP/2's does not know the method. One per stream.
 */
final class HeadWithoutBody extends ChannelDuplexHandler {
  private boolean head;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      head = request.method().equals(HttpMethod.HEAD);
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (!head) {
      ctx.write(message, promise);
      return;
    }
    ReferenceCountUtil.release(message);
    if (message instanceof HttpResponse response) {
      ctx.write(withoutBody(response), promise);
    } else {
      promise.setSuccess();
    }
  }

  private static HttpResponse withoutBody(HttpResponse response) {
    return new DefaultFullHttpResponse(
        response.protocolVersion(),
        response.status(),
        Unpooled.EMPTY_BUFFER,
        response.headers(),
        EmptyHttpHeaders.INSTANCE);
  }
}
