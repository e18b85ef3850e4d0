package io.lastcall.subjects.micronaut;

import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.ServerWebSocket;
import org.reactivestreams.Publisher;

/** Sends each text message back. */
@ServerWebSocket("/ws")
final class Echo {
  @OnMessage
  Publisher<String> onMessage(String message, WebSocketSession session) {
    return session.send(message);
  }
}
