package io.lastcall.servlet.contract;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;

/** An endpoint that tells the sessions of each of its own. Public for Jetty. */
public final class Echo extends Endpoint {
  private final WebSocketSessions sessions;

  private Echo(WebSocketSessions sessions) {
    this.sessions = sessions;
  }

  static ServerEndpointConfig on(String path, WebSocketSessions sessions) {
    return ServerEndpointConfig.Builder.create(Echo.class, path)
        .configurator(new Instances(sessions))
        .build();
  }

  @Override
  public void onOpen(Session session, EndpointConfig config) {
    sessions.opened(session);
    session.addMessageHandler(
        String.class,
        (MessageHandler.Whole<String>)
            text -> session.getAsyncRemote().sendText(text, result -> {}));
  }

  @Override
  public void onClose(Session session, CloseReason reason) {
    sessions.closed(session);
  }

  private static final class Instances extends ServerEndpointConfig.Configurator {
    private final WebSocketSessions sessions;

    Instances(WebSocketSessions sessions) {
      this.sessions = sessions;
    }

    @Override
    public <T> T getEndpointInstance(Class<T> type) {
      return type.cast(new Echo(sessions));
    }
  }
}
