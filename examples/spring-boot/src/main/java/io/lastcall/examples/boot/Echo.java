package io.lastcall.examples.boot;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.Session;
import java.io.IOException;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** {@code /ws}: WebSocket echo; each session is registered while it is open. */
@Configuration(proxyBeanMethods = false)
@EnableWebSocket
class Echo implements WebSocketConfigurer {
  private final ObjectProvider<WebSocketSessions> sessions;

  Echo(ObjectProvider<WebSocketSessions> sessions) {
    this.sessions = sessions;
  }

  @Override
  public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
    registry.addHandler(new Handler(), "/ws").setAllowedOrigins("*");
  }

  private final class Handler extends TextWebSocketHandler {
    @Override
    public void afterConnectionEstablished(WebSocketSession session) {
      Session container =
          Objects.requireNonNull(
              ((NativeWebSocketSession) session).getNativeSession(Session.class));
      sessions.ifAvailable(known -> known.opened(container));
    }

    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage message)
        throws IOException {
      session.sendMessage(new TextMessage(message.getPayload()));
    }
  }
}
