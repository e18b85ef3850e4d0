package io.lastcall.servlet.websocket;

import io.lastcall.connection.Connections;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.connection.Registration;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Session;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where an endpoint says which sessions it has: {@link #opened} from {@code onOpen}, {@link
 * #closed} from {@code onClose}. In CLOSE_CONNECTIONS each is closed with 1001, going away (RFC
 * 6455, section 7.4.1), paced by core. Thread-safe.
 *
 * <p>A container calls {@code onClose} when it has sent its close frame (Tomcat does), or when it
 * has received the client's. A process that exits in between resets the connections of clients that
 * are sending, and some of those see 1006. So where the container can tell when a connection is
 * gone, that is what ends a session here.
 *
 * <p>What a client has sent before it saw the close frame still comes to the endpoint, and an
 * answer fails by then. The endpoint should not throw: Tomcat closes the connection on that.
 */
public final class WebSocketSessions {
  private static final String REGISTRATION = WebSocketSessions.class.getName();
  private static final CloseReason GOING_AWAY =
      new CloseReason(CloseCodes.GOING_AWAY, "The server is shutting down");

  private final Connections connections;
  private final @Nullable Supplier<CompletionStage<?>> connectionEnded;

  /** Creates an empty registry, on top of core's, that takes {@code onClose} for the end. */
  public WebSocketSessions(Connections connections) {
    this.connections = connections;
    this.connectionEnded = null;
  }

  /**
   * Creates an empty registry on top of core's.
   *
   * @param connectionEnded asked in {@link #opened}, on its thread: completes when the session's
   *     connection is gone, such as {@code TomcatServer::currentConnectionEnded}; where it throws
   *     an {@link IllegalStateException}, as for a connector that nobody drains, {@code onClose} is
   *     the end
   */
  public WebSocketSessions(Connections connections, Supplier<CompletionStage<?>> connectionEnded) {
    this.connections = connections;
    this.connectionEnded = connectionEnded;
  }

  /** Registers a session; it is closed at once if connections are being closed already. */
  public void opened(Session session) {
    CompletionStage<?> ended = currentEnded();
    Registration registration = connections.register(new OpenSession(session));
    if (ended != null) {
      ended.whenComplete((nothing, failure) -> registration.closed());
      return;
    }
    session.getUserProperties().put(REGISTRATION, registration);
    if (!session.isOpen()) {
      // Closed within register: onClose has come and found nothing.
      closed(session);
    }
  }

  /** Null: nobody tells. */
  private @Nullable CompletionStage<?> currentEnded() {
    try {
      return connectionEnded == null ? null : connectionEnded.get();
    } catch (IllegalStateException notDrained) {
      return null;
    }
  }

  /** Says that a session is closed, by whomever. */
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
    public void close() throws IOException {
      session.close(GOING_AWAY);
    }
  }
}
