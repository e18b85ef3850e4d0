package io.lastcall.examples.micronaut;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.NettyDrain;
import io.lastcall.phase.Phase;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.EventLoopGroupRegistry;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer.ChannelRole;
import io.micronaut.runtime.server.EmbeddedServer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import java.util.Map;

/** What a service on Micronaut needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts the application's controllers on {@code micronaut.server.port}. */
  public static void main(String[] args) {
    serve(GracefulShutdown.builder().awaitStarted().install(), Map.of());
  }

  /** Not by {@code Micronaut.run}: its own shutdown hook would stop the server at once. */
  public static EmbeddedServer serve(GracefulShutdown shutdown, Map<String, Object> settings) {
    ApplicationContext context =
        ApplicationContext.builder()
            .properties(settings)
            // When it closes nothing is left to be awaited: its event loops would wait 2 s.
            .properties(
                Map.of(
                    "micronaut.server.netty.parent.shutdown-quiet-period", "0s",
                    "micronaut.netty.event-loops.default.shutdown-quiet-period", "0s"))
            .singletons(shutdown)
            .start();
    EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
    shutdown.step(Phase.CLOSE_CONNECTIONS, "micronaut", step -> context.close());
    shutdown.started();
    return server;
  }

  /** Has each listener drained that Micronaut opens. */
  @Singleton
  @Requires(beans = GracefulShutdown.class)
  record Drain(GracefulShutdown shutdown, EventLoopGroupRegistry loops)
      implements BeanCreatedEventListener<NettyServerCustomizer.Registry>, NettyServerCustomizer {
    @Override
    public NettyServerCustomizer.Registry onCreated(
        BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
      event.getBean().register(this);
      return event.getBean();
    }

    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      if (role == ChannelRole.LISTENER) {
        var listener =
            NettyDrain.of(shutdown)
                .listenerHandler("micronaut", shutdown::server, loops.getDefaultEventLoopGroup());
        channel.pipeline().addFirst(listener);
      }
      return this;
    }
  }
}
