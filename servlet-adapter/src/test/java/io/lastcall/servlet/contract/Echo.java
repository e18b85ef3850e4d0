package io.lastcall.servlet.contract;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.function.Consumer;

/** An endpoint that tells the sessions of each of its own. Public for Jetty. */
public final class Echo extends Endpoint {
  /** What {@code events} of {@link #on} hears first of a session's first callback. */
  static final String OPENING = "opening";

  /** What it hears behind the session's registration. */
  static final String REGISTERED = "registered";

  private final WebSocketSessions sessions;
  private final Consumer<String> events;

  private Echo(WebSocketSessions sessions, Consumer<String> events) {
    this.sessions = sessions;
    this.events = events;
  }

  /**
   * @param events hears of {@link #OPENING}, {@link #REGISTERED}, and of texts before they are
   *     answered
   */
  static ServerEndpointConfig on(String path, WebSocketSessions sessions, Consumer<String> events) {
    return ServerEndpointConfig.Builder.create(Echo.class, path)
        .configurator(new Instances(sessions, events))
        .build();
  }

  @Override
  public void onOpen(Session session, EndpointConfig config) {
    events.accept(OPENING);
    sessions.opened(session);
    events.accept(REGISTERED);
    session.addMessageHandler(
        String.class,
        (MessageHandler.Whole<String>)
            text -> {
              events.accept(text);
              answer(session, text);
            });
  }

  private static void answer(Session session, String text) {
    try {
      session.getAsyncRemote().sendText(text, result -> {});
    } catch (IllegalStateException closed) {
      // Thrown on, it would have Tomcat close the connection under a client that is sending.
    }
  }

  @Override
  public void onClose(Session session, CloseReason reason) {
    sessions.closed(session);
  }

  private static final class Instances extends ServerEndpointConfig.Configurator {
    private final WebSocketSessions sessions;
    private final Consumer<String> events;

    Instances(WebSocketSessions sessions, Consumer<String> events) {
      this.sessions = sessions;
      this.events = events;
    }

    @Override
    public <T> T getEndpointInstance(Class<T> type) {
      return type.cast(new Echo(sessions, events));
    }
  }
}
