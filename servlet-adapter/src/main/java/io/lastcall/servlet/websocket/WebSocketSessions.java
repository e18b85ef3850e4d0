package io.lastcall.servlet.websocket;

import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Session;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where an endpoint says which sessions it has: {@link #opened} from {@code onOpen}, {@link
 * #closed} from {@code onClose}. In CLOSE_CONNECTIONS each is closed with 1001, going away (RFC
 * 6455, section 7.4.1), paced by core. Thread-safe.
 *
 * <p>A container calls {@code onClose} when it has sent its close frame (Tomcat does), or when it
 * has received the client's. A process that exits in between resets the connections of clients that
 * are sending, and some of those see 1006. So where the container can tell when a connection is
 * gone, that is what ends a session here; but for a client that does not answer its close frame
 * within {@link LongLivedConnection#ANSWER} nobody waits any longer.
 *
 * <p>What a client has sent before it saw the close frame still comes to the endpoint, and an
 * answer fails by then. The endpoint should not throw: Tomcat closes the connection on that.
 */
public final class WebSocketSessions {
  private static final String REGISTRATION = WebSocketSessions.class.getName();
  private static final CloseReason GOING_AWAY =
      new CloseReason(CloseCodes.GOING_AWAY, "The server is shutting down");

  /**
   * What Tomcat gives the close frame to leave, in milliseconds, unless it says 1000: by default
   * 50. A process pauses for longer where its CPU is throttled, and its clients saw 1006.
   */
  private static final String TOMCAT_FRAME_TIMEOUT =
      "org.apache.tomcat.websocket.ABNORMAL_SESSION_CLOSE_SEND_TIMEOUT";

  private final Connections connections;

  /**
   * The connection that a session stands on, as its container's adapter knows it: {@code
   * jakarta.websocket} says nothing of it. Thread-safe.
   */
  public interface Connection {
    /** Completes when the connection is gone, on a thread of the container's. */
    CompletionStage<?> ended();

    /** DRAIN need not wait any more for what is being opened on the connection. */
    void opened();

    /** Has {@code session}, which stands on the connection, end with it. */
    default void carries(Registration session) {
      ended().whenComplete((nothing, failure) -> session.closed());
      opened();
    }

    /**
     * Closes a session by a close frame: by default at once, on this thread. It must not wait there
     * for a client that takes nothing in.
     *
     * @throws IOException from the session
     */
    default void closeSession(Closeable session) throws IOException {
      session.close();
    }
  }

  /** Creates an empty registry on top of core's. */
  public WebSocketSessions(Connections connections) {
    this.connections = connections;
  }

  /**
   * Registers a session; it is closed at once if connections are being closed already. To be called
   * on the thread of {@code onOpen}: on a connector that is drained it upgrades the session's
   * connection, whose end is the session's then. Elsewhere {@code onClose} is the end.
   */
  public void opened(Session session) {
    session
        .getUserProperties()
        .putIfAbsent(TOMCAT_FRAME_TIMEOUT, LongLivedConnection.ANSWER.toMillis());
    Connection connection = Upgrading.connection();
    Registration registration = connections.register(new OpenSession(session, connection));
    if (connection != null) {
      connection.carries(registration);
      return;
    }
    session.getUserProperties().put(REGISTRATION, registration);
    if (!session.isOpen()) {
      // Closed within register: onClose has come and found nothing.
      closed(session);
    }
  }

  /** Says that a session is closed, by either side. */
  public void closed(Session session) {
    if (session.getUserProperties().remove(REGISTRATION) instanceof Registration registration) {
      registration.closed();
    }
  }

  private record OpenSession(Session session, @Nullable Connection connection)
      implements LongLivedConnection {
    @Override
    public String kind() {
      return "websocket";
    }

    @Override
    public void close() throws IOException {
      if (connection == null) {
        session.close(GOING_AWAY);
      } else {
        connection.closeSession(() -> session.close(GOING_AWAY));
      }
    }
  }
}
