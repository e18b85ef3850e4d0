package io.lastcall.spring;

import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.servlet.websocket.Upgrading;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.Session;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;

/**
 * Puts a handler that registers sessions around those of {@code @EnableWebSocket} and
 * {@code @EnableWebSocketMessageBroker}. Spring has no hook for all of them but their mapping,
 * which must be changed before it is initialised: it takes its handlers over then.
 */
final class WebSocketRegistrar implements InstantiationAwareBeanPostProcessor {
  private final ObjectProvider<WebSocketSessions> sessions;
  private final ObjectProvider<ProcessShutdown> process;

  WebSocketRegistrar(
      ObjectProvider<WebSocketSessions> sessions, ObjectProvider<ProcessShutdown> process) {
    this.sessions = sessions;
    this.process = process;
  }

  @Override
  @SuppressWarnings("unchecked") // Spring's own type of it, in 6.2 and in 7
  public boolean postProcessAfterInstantiation(Object bean, String name) {
    if (bean instanceof WebSocketHandlerMapping mapping) {
      ((Map<String, Object>) mapping.getUrlMap()).replaceAll((path, handler) -> around(handler));
    }
    return true;
  }

  /** A handler of the application's own class stays as it is. */
  private Object around(Object handler) {
    if (handler.getClass() == WebSocketHttpRequestHandler.class) {
      WebSocketHttpRequestHandler plain = (WebSocketHttpRequestHandler) handler;
      WebSocketHttpRequestHandler registering =
          new WebSocketHttpRequestHandler(
              new Registering(plain.getWebSocketHandler()), plain.getHandshakeHandler());
      registering.setHandshakeInterceptors(plain.getHandshakeInterceptors());
      return registering;
    }
    if (handler.getClass() == SockJsHttpRequestHandler.class) {
      SockJsHttpRequestHandler plain = (SockJsHttpRequestHandler) handler;
      return new SockJsHttpRequestHandler(
          plain.getSockJsService(), new Registering(plain.getWebSocketHandler()));
    }
    return handler;
  }

  private final class Registering extends WebSocketHandlerDecorator {
    /** Of the sessions that are none of {@code jakarta.websocket}, by their id. */
    private final Map<String, Registration> others = new ConcurrentHashMap<>();

    Registering(WebSocketHandler handler) {
      super(handler);
    }

    /** Behind the application: it may be closed at once. */
    @Override
    public void afterConnectionEstablished(WebSocketSession session) throws Exception {
      super.afterConnectionEstablished(session);
      Session container = container(session);
      if (container == null) {
        register(session);
      } else {
        sessions.getObject().opened(container);
      }
    }

    /**
     * As {@link WebSocketSessions#opened} does: where its connection is known, that is its end.
     * None is of SockJS over HTTP, where this thread upgrades nothing.
     */
    private void register(WebSocketSession session) {
      WebSocketSessions.Connection connection = Upgrading.connection();
      Connections connections = process.getObject().shutdown().connections();
      Registration registration = connections.register(new OpenSession(session));
      if (connection != null) {
        connection.carries(registration);
        return;
      }
      others.put(session.getId(), registration);
      if (!session.isOpen()) {
        // Closed within register, or before: nobody has found it, or will.
        deregister(session);
      }
    }

    @Override
    public void afterConnectionClosed(WebSocketSession session, CloseStatus status)
        throws Exception {
      Session container = container(session);
      if (container == null) {
        deregister(session);
      } else {
        sessions.getObject().closed(container);
      }
      super.afterConnectionClosed(session, status);
    }

    private void deregister(WebSocketSession session) {
      Registration registration = others.remove(session.getId());
      if (registration != null) {
        registration.closed();
      }
    }
  }

  /**
   * Null on Jetty, where Spring does without {@code jakarta.websocket}; and of SockJS over HTTP.
   */
  private static @Nullable Session container(WebSocketSession session) {
    return session instanceof NativeWebSocketSession known
        ? known.getNativeSession(Session.class)
        : null;
  }

  private record OpenSession(WebSocketSession session) implements LongLivedConnection {
    @Override
    public String kind() {
      return "websocket";
    }

    @Override
    public void close() throws IOException {
      if (!JettySessions.close(session, CloseStatus.GOING_AWAY)) {
        session.close(CloseStatus.GOING_AWAY);
      }
    }
  }
}
