package io.lastcall.agent.server;

import io.lastcall.GracefulShutdown;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.servlet.websocket.Upgrading;
import io.lastcall.servlet.websocket.WebSocketSessions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Behavior;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.jspecify.annotations.Nullable;

/** The sessions of Jetty's WebSocket that clients have opened. */
public final class WebSocketJettyHooks implements ServerHooks {
  private final AgentShutdown shutdown;

  /** Those on connections that no exact server knows. */
  private final Map<CoreSession, Registration> others = new ConcurrentHashMap<>();

  /** Called by name. */
  public WebSocketJettyHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
  }

  /** Opened after the endpoint's own callback, on the thread that upgrades the connection. */
  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value) {
    GracefulShutdown installed = shutdown.get();
    if (installed == null
        || !(self instanceof CoreSession session)
        || session.getBehavior() != Behavior.SERVER) {
      return value;
    }
    if (place.equals("jetty socket")) {
      opened(session, installed.connections());
    } else {
      closed(session);
    }
    return value;
  }

  private void opened(CoreSession session, Connections connections) {
    WebSocketSessions.Connection connection = Upgrading.connection();
    Registration registration = connections.register(new OpenSession(session));
    if (connection != null) {
      connection.carries(registration);
      return;
    }
    others.put(session, registration);
    if (!session.isOutputOpen()) {
      closed(session); // within register, or before it
    }
  }

  private void closed(CoreSession session) {
    Registration registration = others.remove(session);
    if (registration != null) {
      registration.closed();
    }
  }

  private record OpenSession(CoreSession session) implements LongLivedConnection {
    @Override
    public String kind() {
      return "websocket";
    }

    @Override
    public void close() {
      session.close(CloseStatus.SHUTDOWN, "The server is shutting down", Callback.NOOP);
    }
  }
}
