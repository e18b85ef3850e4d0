package io.lastcall.agent.server;

import io.lastcall.GracefulShutdown;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.netty.NettyDrain;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ServerSocketChannel;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Netty's listeners, each as it is bound and before it accepts. */
public final class NettyHooks implements ServerHooks {
  private static final List<String> OTHERS = List.of("io.grpc.", "com.linecorp.armeria.");

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
        && listener.isActive()
        && !isOfAnother(listener)) {
      follow(listener);
    }
    return value;
  }

  /** Such as gRPC's, whose connections have no codec of Netty's, and which has hooks of its own. */
  private static boolean isOfAnother(ServerSocketChannel listener) {
    for (Map.Entry<String, ChannelHandler> entry : listener.pipeline()) {
      try {
        Field accepted = entry.getValue().getClass().getDeclaredField("childHandler");
        accepted.setAccessible(true);
        String type = accepted.get(entry.getValue()).getClass().getName();
        if (OTHERS.stream().anyMatch(type::startsWith)) {
          return true;
        }
      } catch (ReflectiveOperationException | RuntimeException none) {
        // Not the handler that sets connections up.
      }
    }
    return false;
  }

  private void follow(ServerSocketChannel listener) {
    GracefulShutdown installed = shutdown.get();
    if (installed == null) {
      return;
    }
    String name = "netty:" + listener.localAddress().getPort();
    DrainableServer role = NettyDrain.of(installed).placingServer(name, (Channel) listener);
    // Without event loops to end: it only says what was cut.
    AgentShutdown.Added server = shutdown.server(role, role::stop);
    if (server != null) {
      listener.closeFuture().addListener(closed -> server.remove());
      NettyProtocol protocol =
          new NettyProtocol(
              listener,
              () -> shutdown.left(name, "speaks no HTTP that a codec of Netty reads", server));
      protocol.follow();
      shutdown.started();
    }
  }
}
