package io.lastcall.spring.service;

import java.io.IOException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** WebSockets as Spring's users have them: plain, by SockJS, STOMP. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("test.sockets")
@EnableWebSocket
@EnableWebSocketMessageBroker
class Sockets implements WebSocketConfigurer, WebSocketMessageBrokerConfigurer {
  @Override
  public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
    registry.addHandler(new Echo(), "/ws");
    registry.addHandler(new Echo(), "/sockjs").withSockJS();
    registry.addHandler(new Push(), "/push");
  }

  @Override
  public void registerStompEndpoints(StompEndpointRegistry registry) {
    registry.addEndpoint("/stomp");
  }

  private static final class Echo extends TextWebSocketHandler {
    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage message)
        throws IOException {
      session.sendMessage(new TextMessage(message.getPayload()));
    }
  }

  /** Says, on a thread of its own, more than fits into buffers. */
  private static final class Push extends TextWebSocketHandler {
    private static final int LENGTH = 50_000_000;

    @Override
    public void afterConnectionEstablished(WebSocketSession session) {
      Thread thread = new Thread(() -> push(session), "push");
      thread.setDaemon(true);
      thread.start();
    }

    private static void push(WebSocketSession session) {
      try {
        session.sendMessage(new TextMessage("x".repeat(LENGTH)));
      } catch (IOException gone) {
        System.out.println("push failed");
      }
    }
  }
}
