package io.lastcall.agent.server;

import io.lastcall.GracefulShutdown;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.undertow.websockets.core.CloseMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import org.jspecify.annotations.Nullable;

/** The channels of Undertow's WebSocket that clients have opened. */
public final class WebSocketUndertowHooks implements ServerHooks {
  private final AgentShutdown shutdown;

  /** Called by name. */
  public WebSocketUndertowHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
  }

  /** At the end of the constructor, before anything uses the channel. */
  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value) {
    GracefulShutdown installed = shutdown.get();
    if (installed != null && self instanceof WebSocketChannel channel && !channel.isClient()) {
      Registration registration = installed.connections().register(new OpenChannel(channel));
      channel.addCloseTask(closed -> registration.closed());
    }
    return value;
  }

  private record OpenChannel(WebSocketChannel channel) implements LongLivedConnection {
    @Override
    public String kind() {
      return "websocket";
    }

    /** On its own thread: the channel may be under construction on it. */
    @Override
    public void close() {
      channel
          .getIoThread()
          .execute(
              () ->
                  WebSockets.sendClose(
                      CloseMessage.GOING_AWAY, "The server is shutting down", channel, null));
    }
  }
}
