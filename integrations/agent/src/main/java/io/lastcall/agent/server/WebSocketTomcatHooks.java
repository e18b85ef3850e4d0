package io.lastcall.agent.server;

import io.lastcall.GracefulShutdown;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.Session;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** The sessions of Tomcat's WebSocket, whose endpoints register none of them. */
public final class WebSocketTomcatHooks implements ServerHooks {
  private final AgentShutdown shutdown;

  private @Nullable WebSocketSessions sessions;

  /** Called by name. */
  public WebSocketTomcatHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
  }

  /** Opened after the endpoint's own callback, on the thread that upgrades the connection. */
  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value)
      throws ReflectiveOperationException {
    WebSocketSessions known = sessions();
    if (known == null || self == null) {
      return value;
    }
    if (value instanceof Session session) {
      known.closed(session);
    } else if (place.equals("tomcat socket")) {
      Field field = self.getClass().getDeclaredField("wsSession");
      field.setAccessible(true);
      if (field.get(self) instanceof Session session) {
        known.opened(session);
      }
    }
    return value;
  }

  private synchronized @Nullable WebSocketSessions sessions() {
    GracefulShutdown installed = shutdown.get();
    if (installed != null && sessions == null) {
      sessions = new WebSocketSessions(installed.connections());
    }
    return installed == null ? null : sessions;
  }
}
