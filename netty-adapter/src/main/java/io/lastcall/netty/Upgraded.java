package io.lastcall.netty;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameEncoder;
import io.netty.util.ReferenceCountUtil;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is no longer HTTP. A WebSocket gets a close frame and is closed when the peer
 * has answered that; any other protocol is just closed. Event loop only.
 */
final class Upgraded {
  private static final String WEBSOCKET = "websocket";

  private final ChannelHandlerContext ctx;
  private final WebSocketCloseStatus webSocketEnd;
  private final TrackedConnection connection;
  private final LongLived registration;
  private boolean closeSent;

  Upgraded(NettyDrain drain, String kind, ChannelHandlerContext ctx) {
    this.ctx = ctx;
    this.connection = TrackedConnection.of(ctx);
    this.webSocketEnd = drain.webSocketEnd;
    // Bypasses the application's handlers: Vert.x's would wait for the client's answer, too.
    registration =
        LongLived.register(
            drain.connections,
            kind,
            ctx,
            kind.equals(WEBSOCKET) ? this::sendClose : ctx::close,
            ctx::close);
  }

  /** Returns the protocol after {@code response}; null if it stays HTTP. */
  static @Nullable String kind(Exchange exchange, HttpResponse response) {
    HttpResponseStatus status = response.status();
    if (status.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
      String protocol = response.headers().get(HttpHeaderNames.UPGRADE);
      return protocol == null ? "upgraded" : protocol.toLowerCase(Locale.ROOT);
    }
    boolean tunnel = exchange.isConnect() && status.codeClass() == HttpStatusClass.SUCCESS;
    return tunnel ? "tunnel" : null;
  }

  /**
   * Takes an offer of HTTP/2 without TLS out of a request, which a server may ignore; RFC 9113 has
   * given up this way into HTTP/2, but the JDK's client offers it with each first request.
   */
  static void ignoreH2c(HttpHeaders request) {
    if (request.containsValue(HttpHeaderNames.UPGRADE, "h2c", true)) {
      boolean webSocket = request.containsValue(HttpHeaderNames.UPGRADE, WEBSOCKET, true);
      request.remove(HttpHeaderNames.UPGRADE);
      if (webSocket) {
        request.set(HttpHeaderNames.UPGRADE, WEBSOCKET);
      }
    }
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
    connection.notifyLeaving(ctx);
    closeSent = true;
    if (ctx.pipeline().get(WebSocketFrameEncoder.class) == null) {
      // Ktor encodes its frames itself, in handlers after ours.
      ctx.pipeline().addBefore(ctx.name(), null, new WebSocket13FrameEncoder(false));
    }
    ctx.writeAndFlush(new CloseWebSocketFrame(webSocketEnd))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** The channel is gone. */
  void ended() {
    registration.ended();
  }
}
