package io.lastcall.examples.vertx;

import io.lastcall.connection.DrainableServer;
import io.lastcall.netty.NettyDrain;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.vertx.core.spi.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The one hook that Vert.x has below its servers: its transport makes their listeners and event
 * loops. This one passes everything on to another, and remembers what that one made. A proxy, since
 * the methods that do not matter here differ between minor versions of Vert.x.
 */
final class DrainTransport implements io.vertx.core.transport.Transport {
  private final io.vertx.core.transport.Transport inner;
  private final NettyDrain drain;
  private final List<EventLoopGroup> groups = new CopyOnWriteArrayList<>();
  private final List<Channel> listeners = new CopyOnWriteArrayList<>();

  DrainTransport(io.vertx.core.transport.Transport inner, NettyDrain drain) {
    this.inner = inner;
    this.drain = drain;
  }

  /** Returns the server role of what listens on {@code port}. */
  DrainableServer server(String name, int port) {
    Channel listener =
        listeners.stream()
            .filter(
                channel ->
                    channel.localAddress() instanceof InetSocketAddress address
                        && address.getPort() == port)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("Nothing listens on port " + port));
    return drain.server(name, listener, groups.toArray(EventLoopGroup[]::new));
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public boolean available() {
    return inner.available();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return inner.unavailabilityCause();
  }

  @Override
  public Transport implementation() {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (self, method, arguments) -> seen(call(method, arguments)));
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(inner.implementation(), arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private @Nullable Object seen(@Nullable Object made) {
    if (made instanceof EventLoopGroup group) {
      groups.add(group);
    } else if (made instanceof ChannelFactory<?> factory) {
      return (ChannelFactory<?>) () -> seen(factory.newChannel());
    }
    return made;
  }

  private Channel seen(Channel channel) {
    if (channel instanceof ServerChannel) {
      listeners.add(channel);
      channel.closeFuture().addListener(closed -> listeners.remove(channel));
      channel.pipeline().addFirst(new Accepted());
    }
    return channel;
  }

  private final class Accepted extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object connection) {
      ((Channel) connection).pipeline().addFirst(new Draining(drain));
      ctx.fireChannelRead(connection);
    }
  }
}
