package io.lastcall.agent;

import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;

/** An endpoint that sends back what it gets, and registers nothing. Public for containers. */
public final class EchoEndpoint extends Endpoint {
  @Override
  public void onOpen(Session session, EndpointConfig config) {
    session.addMessageHandler(
        String.class,
        (MessageHandler.Whole<String>)
            text -> session.getAsyncRemote().sendText(text, result -> {}));
  }
}
