package io.lastcall.subjects.webflux;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.reactive.socket.WebSocketMessage;

/** {@code /ws}: WebSocket echo. */
@Configuration(proxyBeanMethods = false)
class Echo {
  @Bean
  HandlerMapping webSockets() {
    WebSocketHandler echo =
        session -> session.send(session.receive().doOnNext(WebSocketMessage::retain));
    return new SimpleUrlHandlerMapping(Map.of("/ws", echo), -1);
  }
}
