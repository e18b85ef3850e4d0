package io.lastcall.netty.vertx;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.NettyDrain;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.vertx.core.spi.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Drains the HTTP servers of a Vert.x 5 instance: HTTP/1.1, and HTTP/2 with Vert.x's multiplex
 * implementation. It is Vert.x's transport, NIO, which sees the servers below it; each that starts
 * is registered by itself. Thread-safe.
 *
 * <pre>{@code
 * Vertx vertx = Vertx.builder().withTransport(VertxDrain.of(shutdown)).build();
 * shutdown.step(Phase.CLOSE_CONNECTIONS, "vertx",
 *     step -> vertx.close().await(step.deadline().remaining().toNanos(), TimeUnit.NANOSECONDS));
 * }</pre>
 */
public final class VertxDrain implements io.vertx.core.transport.Transport {
  private final GracefulShutdown shutdown;
  private final NettyDrain drain;
  private final Set<EventLoopGroup> groups = ConcurrentHashMap.newKeySet();

  private VertxDrain(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
    this.drain = NettyDrain.of(shutdown);
  }

  /** Returns the transport for one {@code Vertx}, which must not use a transport of its own. */
  public static VertxDrain of(GracefulShutdown shutdown) {
    return new VertxDrain(shutdown);
  }

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

  /** A proxy: methods that do not matter differ by version. */
  @Override
  public Transport implementation() {
    Transport nio = NIO.implementation();
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (self, method, arguments) -> seen(call(nio, method, arguments)));
  }

  private static @Nullable Object call(
      Transport nio, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(nio, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private @Nullable Object seen(@Nullable Object made) {
    if (made instanceof EventLoopGroup group) {
      groups.add(group);
    } else if (made instanceof ChannelFactory<?> factory) {
      return (ChannelFactory<?>) () -> (Channel) seen(factory.newChannel());
    } else if (made instanceof ServerChannel listener) {
      EventLoopGroup[] all = groups.toArray(EventLoopGroup[]::new);
      listener.pipeline().addFirst(drain.listenerHandler("vertx", shutdown::server, all));
    }
    return made;
  }
}
