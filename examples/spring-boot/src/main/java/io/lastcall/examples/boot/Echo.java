package io.lastcall.examples.boot;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.connection.Registration;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.CloseStatus;
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
  private static final String REGISTRATION = Registration.class.getName();

  private final ObjectProvider<WebSocketSessions> sessions;
  private final ObjectProvider<GracefulShutdown> shutdown;

  Echo(ObjectProvider<WebSocketSessions> sessions, ObjectProvider<GracefulShutdown> shutdown) {
    this.sessions = sessions;
    this.shutdown = shutdown;
  }

  @Override
  public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
    registry.addHandler(new Handler(), "/ws").setAllowedOrigins("*");
  }

  private final class Handler extends TextWebSocketHandler {
    @Override
    public void afterConnectionEstablished(WebSocketSession session) {
      Session container = ((NativeWebSocketSession) session).getNativeSession(Session.class);
      if (container != null) {
        sessions.ifAvailable(known -> known.opened(container));
      } else {
        // On Jetty Spring does without jakarta.websocket.
        shutdown.ifAvailable(known -> register(known, session));
      }
    }

    private void register(GracefulShutdown known, WebSocketSession session) {
      Registration registration = known.connections().register(new OpenSession(session));
      session.getAttributes().put(REGISTRATION, registration);
      if (!session.isOpen()) {
        registration.closed();
      }
    }

    @Override
    public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
      Session container = ((NativeWebSocketSession) session).getNativeSession(Session.class);
      if (container != null) {
        sessions.ifAvailable(known -> known.closed(container));
      } else if (session.getAttributes().get(REGISTRATION) instanceof Registration registration) {
        registration.closed();
      }
    }

    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage message)
        throws IOException {
      session.sendMessage(new TextMessage(message.getPayload()));
    }
  }

  /** A session that only Spring knows. */
  private record OpenSession(WebSocketSession session) implements LongLivedConnection {
    @Override
    public String kind() {
      return "websocket";
    }

    @Override
    public void close() {
      try {
        session.close(CloseStatus.GOING_AWAY);
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }
  }
}
