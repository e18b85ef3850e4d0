package io.lastcall.examples.vertx;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.NettyDrain;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.vertx.core.spi.transport.Transport;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Vert.x's hook below its servers. A proxy: methods that do not matter differ by version. */
public record DrainTransport(GracefulShutdown shutdown, Set<EventLoopGroup> groups)
    implements io.vertx.core.transport.Transport {
  @Override
  public String name() {
    return NIO.name();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return NIO.unavailabilityCause();
  }

  @Override
  public boolean available() {
    return NIO.available();
  }

  @Override
  public Transport implementation() {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (self, method, arguments) -> seen(method.invoke(NIO.implementation(), arguments)));
  }

  private @Nullable Object seen(@Nullable Object made) {
    if (made instanceof EventLoopGroup group) {
      groups.add(group);
    } else if (made instanceof ChannelFactory<?> factory) {
      return (ChannelFactory<?>) () -> (Channel) seen(factory.newChannel());
    } else if (made instanceof ServerChannel listener) {
      EventLoopGroup[] all = groups.toArray(EventLoopGroup[]::new);
      listener
          .pipeline()
          .addFirst(NettyDrain.of(shutdown).listenerHandler("vertx", shutdown::server, all));
    }
    return made;
  }
}
