package io.lastcall.subjects.boot;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** {@code /ws}: WebSocket echo. */
@Configuration(proxyBeanMethods = false)
@EnableWebSocket
class Echo implements WebSocketConfigurer {
  private static final Logger log = LoggerFactory.getLogger(Echo.class);

  @Override
  public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
    registry.addHandler(new Handler(), "/ws").setAllowedOrigins("*");
  }

  private static final class Handler extends TextWebSocketHandler {
    /** A message that crossed the close frame gets no answer; that is no failure of ours. */
    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage message) {
      try {
        session.sendMessage(new TextMessage(message.getPayload()));
      } catch (IOException | IllegalStateException failure) {
        log.debug("Not sent; the session is closed", failure);
      }
    }
  }
}
