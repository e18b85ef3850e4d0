package io.lastcall.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Tells HTTP/1.1 messages apart. First by the class that Netty's codec or nearly every application
 * uses: until JDK 23 asking an object for an interface that it lacks searches a list, and asking by
 * turns for two that it has writes to a word that all cores share (JDK-8180450).
 */
final class Messages {
  private Messages() {}

  /** Returns the head of a request, or null. */
  static @Nullable HttpRequest request(Object message) {
    if (message instanceof DefaultHttpRequest request) {
      return request;
    }
    return message != LastHttpContent.EMPTY_LAST_CONTENT && message instanceof HttpRequest request
        ? request
        : null;
  }

  /** Returns the head of a response, or null. */
  static @Nullable HttpResponse response(Object message) {
    if (message instanceof DefaultHttpResponse response) {
      return response;
    }
    return message != LastHttpContent.EMPTY_LAST_CONTENT && message instanceof HttpResponse response
        ? response
        : null;
  }

  /** Returns whether a request or a response ends with it. */
  static boolean isEnd(Object message) {
    if (message == LastHttpContent.EMPTY_LAST_CONTENT
        || message instanceof DefaultFullHttpResponse) {
      return true;
    }
    Class<?> type = message.getClass();
    return type != DefaultHttpRequest.class
        && type != DefaultHttpResponse.class
        && message instanceof LastHttpContent;
  }

  /**
   * Takes a message out of the pipeline. Without auto-read it is the application that asks for more
   * once it has answered; what it never saw it will not answer.
   */
  static void drop(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message);
    if (!ctx.channel().config().isAutoRead()) {
      ctx.read();
    }
  }
}
