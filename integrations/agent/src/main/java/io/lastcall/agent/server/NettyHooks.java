package io.lastcall.agent.server;

import io.lastcall.GracefulShutdown;
import io.lastcall.Removable;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.netty.NettyDrain;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** Netty's listeners, each as it is bound and before it accepts. */
public final class NettyHooks implements ServerHooks {
  private final AgentShutdown shutdown;

  /** Called by name. */
  public NettyHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
  }

  /** On the listener's event loop. */
  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value) {
    if (value instanceof ChannelPromise promise
        && promise.channel() instanceof ServerSocketChannel listener
        && listener.isActive()) {
      follow(listener);
    }
    return value;
  }

  private void follow(ServerSocketChannel listener) {
    GracefulShutdown installed = shutdown.get();
    if (installed == null) {
      return;
    }
    String name = "netty:" + listener.localAddress().getPort();
    Removable server =
        shutdown.server(NettyDrain.of(installed).placingServer(name, (Channel) listener));
    if (server != null) {
      listener.closeFuture().addListener(closed -> server.remove());
      shutdown.started();
    }
  }
}
