package io.lastcall.subjects.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Hands on a request when the response to the one before it is written: a client that pipelines
 * gets its responses in the order of its requests (RFC 9112, section 9.3.2), and {@link Routes}
 * answers each when it is ready. One per connection.
 */
final class OneByOne extends ChannelDuplexHandler {
  private final Queue<Object> later = new ArrayDeque<>();
  private boolean answering;
  private boolean handingOn;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    later.add(message);
    handOn(ctx);
  }

  /** A response may be written within. */
  private void handOn(ChannelHandlerContext ctx) {
    if (handingOn) {
      return;
    }
    handingOn = true;
    try {
      while (!later.isEmpty() && !(answering && later.peek() instanceof HttpRequest)) {
        Object message = later.remove();
        answering |= message instanceof HttpRequest;
        ctx.fireChannelRead(message);
      }
    } finally {
      handingOn = false;
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean end = message instanceof LastHttpContent && !isInterim(message);
    ctx.write(message, promise);
    if (end) {
      answering = false;
      handOn(ctx);
    }
  }

  /** 100, Continue, which is whole and not the response. 101 comes without a request behind it. */
  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    later.forEach(ReferenceCountUtil::release);
    later.clear();
  }
}
