package io.lastcall.agent;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.net.InetSocketAddress;

/** Undertow's own WebSocket as anybody writes it. */
final class UndertowWebSocketApplication {
  private UndertowWebSocketApplication() {}

  public static void main(String[] args) {
    Undertow undertow =
        Undertow.builder()
            .addHttpListener(0, "localhost")
            .setHandler(
                Handlers.path()
                    .addPrefixPath(
                        "/ws",
                        Handlers.websocket(
                            (exchange, channel) -> {
                              channel.getReceiveSetter().set(new Echo());
                              channel.resumeReceives();
                            })))
            .build();
    undertow.start();
    InetSocketAddress bound = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    System.out.println("ready on port " + bound.getPort());
  }

  private static final class Echo extends AbstractReceiveListener {
    @Override
    protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
      WebSockets.sendText(message.getData(), channel, null);
    }
  }
}
