package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is not HTTP any more. A WebSocket is told to end by a close frame and closed
 * when the peer has answered it, or has not for {@link #ANSWER}; anything else is just closed.
 * Event loop only.
 */
final class Upgraded {
  /** HTTP/2 without TLS, by upgrade (RFC 7540, section 3.2; given up by RFC 9113). */
  static final String H2C = "h2c";

  /**
   * How long a peer has to answer a close frame that has left: a few round trips from far away. One
   * that is gone, a phone without a network say, would hold CLOSE_CONNECTIONS to its end.
   */
  static final Duration ANSWER = Duration.ofSeconds(1);

  private static final String WEBSOCKET = "websocket";

  private final ChannelHandlerContext ctx;
  private final WebSocketCloseStatus webSocketEnd;
  private final LongLived registration;
  private boolean closeSent;

  Upgraded(
      Connections connections,
      String kind,
      ChannelHandlerContext ctx,
      WebSocketCloseStatus webSocketEnd) {
    this.ctx = ctx;
    this.webSocketEnd = webSocketEnd;
    Runnable end = kind.equals(WEBSOCKET) ? this::sendClose : ctx::close;
    registration = LongLived.register(connections, kind, ctx.executor(), end);
  }

  /** Returns what the connection becomes behind {@code response}; null if it stays HTTP. */
  static @Nullable String kind(Exchange exchange, HttpResponse response) {
    HttpResponseStatus status = response.status();
    if (status.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
      String protocol = response.headers().get(HttpHeaderNames.UPGRADE);
      return protocol == null ? "upgraded" : protocol.toLowerCase(Locale.ROOT);
    }
    boolean tunnel = exchange.isConnect() && status.codeClass() == HttpStatusClass.SUCCESS;
    return tunnel ? "tunnel" : null;
  }

  void read(Object message) {
    if (closeSent && message instanceof CloseWebSocketFrame) {
      // The echo. The server is the one to close the connection (RFC 6455, section 7.1.1).
      ReferenceCountUtil.release(message);
      ctx.close();
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /**
   * Returns whether {@code message} must not be written: no frame may follow a close frame (RFC
   * 6455, section 5.5.1). The write is reported as successful: if it failed, the application might
   * close the connection before the peer has answered our close frame.
   */
  boolean ignores(Object message) {
    return closeSent && message instanceof WebSocketFrame;
  }

  private void sendClose() {
    closeSent = true;
    ctx.writeAndFlush(new CloseWebSocketFrame(webSocketEnd))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE)
        .addListener(sent -> awaitAnswer());
  }

  private void awaitAnswer() {
    Future<?> bound =
        ctx.executor().schedule(this::giveUp, ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    ctx.channel().closeFuture().addListener(closed -> bound.cancel(false));
  }

  /** Nobody waits for the peer any more; should it be there after all, it has time to read. */
  private void giveUp() {
    registration.ended();
    ConnectionEnd.begin(ctx.channel());
  }

  /** The channel is gone. */
  void ended() {
    registration.ended();
  }
}
