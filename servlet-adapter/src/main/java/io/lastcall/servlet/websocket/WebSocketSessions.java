package io.lastcall.servlet.websocket;

import io.lastcall.connection.Connections;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.connection.Registration;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Where an endpoint says which sessions it has: {@link #opened} from {@code onOpen}, {@link
 * #closed} from {@code onClose}. In CLOSE_CONNECTIONS each is closed with 1001, going away (RFC
 * 6455, section 7.4.1), paced by core. Thread-safe.
 */
public final class WebSocketSessions {
  private static final String REGISTRATION = WebSocketSessions.class.getName();
  private static final CloseReason GOING_AWAY =
      new CloseReason(CloseCodes.GOING_AWAY, "The server is shutting down");

  private final Connections connections;

  /** Creates an empty registry on top of core's. */
  public WebSocketSessions(Connections connections) {
    this.connections = connections;
  }

  /** Registers a session; it is closed at once if connections are being closed already. */
  public void opened(Session session) {
    Map<String, Object> properties = session.getUserProperties();
    properties.put(REGISTRATION, connections.register(new OpenSession(session)));
    if (!session.isOpen()) {
      // Closed within register: onClose has come and found nothing.
      closed(session);
    }
  }

  /** Deregisters a session, whoever has closed it. */
  public void closed(Session session) {
    if (session.getUserProperties().remove(REGISTRATION) instanceof Registration registration) {
      registration.closed();
    }
  }

  private record OpenSession(Session session) implements LongLivedConnection {
    @Override
    public String kind() {
      return "websocket";
    }

    @Override
    public void close() {
      try {
        session.close(GOING_AWAY);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
