package io.lastcall.spring;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.lastcall.GracefulShutdown;
import io.lastcall.grpc.GrpcShutdown;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.NettyGrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;

/**
 * Prepares Spring's gRPC servers on Netty as they are built, and drains them once they have
 * started. The health service is Spring Boot's, where there is one: the status of the server as a
 * whole follows readiness, and a shutdown that fails readiness makes every service NOT_SERVING.
 */
@Order(Ordered.LOWEST_PRECEDENCE) // our interceptor is to be the first, which is the last added
final class GrpcServers implements ServerBuilderCustomizer<NettyServerBuilder>, DisposableBean {
  /** Between its builder and its start, both by the thread that starts it. */
  private static final ThreadLocal<GrpcShutdown.@Nullable Prepared> building = new ThreadLocal<>();

  private final GracefulShutdown shutdown;
  private final GrpcShutdown grpc;
  private final @Nullable HealthStatusManager health;

  private final Map<Server, GrpcShutdown.Prepared> started = new ConcurrentHashMap<>();

  GrpcServers(
      GracefulShutdown shutdown,
      GrpcShutdown standard,
      ObjectProvider<HealthStatusManager> managers) {
    this.shutdown = shutdown;
    health = managers.getIfUnique();
    grpc = health == null ? standard : standard.withoutHealthService();
    serve(false);
  }

  @Override
  public void customize(NettyServerBuilder builder) {
    destroy(); // of a server that could not be bound
    building.set(grpc.prepare(builder));
  }

  @EventListener
  @Order(Ordered.HIGHEST_PRECEDENCE)
  void started(GrpcServerStartedEvent event) {
    GrpcShutdown.Prepared prepared = building.get();
    if (prepared != null && event.getSource().getFactory() instanceof NettyGrpcServerFactory) {
      building.remove();
      started.put(event.getServer(), prepared);
      prepared.started(event.getServer());
    }
  }

  boolean drains(Server server) {
    return started.containsKey(server);
  }

  /** Spring would wait 30 s for what is left: DRAIN has ended, and has said what it was. */
  @EventListener
  void stops(GrpcServerShutdownEvent event) {
    if (shutdown.isShuttingDown() && drains(event.getServer())) {
      event.getServer().shutdownNow();
    }
  }

  @EventListener
  void stopped(GrpcServerTerminatedEvent event) {
    GrpcShutdown.Prepared prepared = started.remove(event.getServer());
    if (prepared != null && !shutdown.isShuttingDown()) {
      prepared.close();
    }
  }

  /** In front of {@link ContextBridge}, which says within it what is to hold. */
  @EventListener
  @Order(0)
  void readinessChanged(AvailabilityChangeEvent<ReadinessState> event) {
    serve(event.getState() == ReadinessState.ACCEPTING_TRAFFIC);
  }

  private void serve(boolean on) {
    if (health != null && !on && shutdown.isShuttingDown()) {
      health.enterTerminalState();
    } else if (health != null) {
      health.setStatus(
          HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
          on ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }
  }

  @Override
  public void destroy() {
    GrpcShutdown.Prepared unused = building.get();
    if (unused != null) {
      building.remove();
      unused.close();
    }
  }
}
