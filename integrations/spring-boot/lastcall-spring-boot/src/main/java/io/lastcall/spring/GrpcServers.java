package io.lastcall.spring;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.lastcall.GracefulShutdown;
import io.lastcall.grpc.CoarseGrpc;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;

/**
 * Prepares Spring's gRPC servers as they are built, and drains them once they have started: exactly
 * on Netty, by the coarse form on any other transport. The health service is Spring Boot's, where
 * there is one: the status of the server as a whole follows readiness, and a shutdown that fails
 * readiness makes every service NOT_SERVING.
 *
 * @param <T> any: the customizer of one builder would not be called for the others
 */
@Order(Ordered.LOWEST_PRECEDENCE) // our interceptor is to be the first, which is the last added
final class GrpcServers<T extends ServerBuilder<T>>
    implements ServerBuilderCustomizer<T>, DisposableBean {
  /** Of builders whose calls come from this process, or as requests that the filter counts. */
  private static final Set<String> COUNTED_ELSEWHERE =
      Set.of(
          "io.grpc.inprocess.InProcessServerBuilder",
          "io.grpc.servlet.jakarta.ServletServerBuilder");

  /** Between its builder and its start, both by the thread that starts it. */
  private static final ThreadLocal<@Nullable Role> building = new ThreadLocal<>();

  private final GracefulShutdown shutdown;
  private final CoarseGrpc coarse;
  private final ObjectProvider<Exact> exact;
  private final @Nullable HealthStatusManager health;

  private final Map<Server, Role> started = new ConcurrentHashMap<>();

  GrpcServers(
      GracefulShutdown shutdown,
      CoarseGrpc standard,
      ObjectProvider<Exact> exact,
      ObjectProvider<HealthStatusManager> managers) {
    this.shutdown = shutdown;
    this.exact = exact;
    health = managers.getIfUnique();
    coarse = health == null ? standard : standard.withoutHealthService();
    serve(false);
  }

  /**
   * A prepared server's place in the shutdown.
   *
   * @param takesIn given the server once it has started
   * @param takesBack called when it has ended without a shutdown
   */
  record Role(Consumer<Server> takesIn, Runnable takesBack) {}

  /** The form for grpc-netty, where that is there. */
  @FunctionalInterface
  interface Exact {
    /** Prepares a server; returns null for a builder of another transport. */
    @Nullable Role prepare(ServerBuilder<?> builder, boolean answersHealth);
  }

  @Override
  public void customize(T builder) {
    destroy(); // of a server that could not be bound
    if (!COUNTED_ELSEWHERE.contains(builder.getClass().getName())) {
      building.set(prepare(builder));
    }
  }

  private Role prepare(T builder) {
    Exact known = exact.getIfAvailable();
    Role role = known == null ? null : known.prepare(builder, health == null);
    if (role != null) {
      return role;
    }
    CoarseGrpc.Prepared prepared = coarse.prepare(builder);
    return new Role(prepared::started, prepared::close);
  }

  @EventListener
  @Order(Ordered.HIGHEST_PRECEDENCE)
  void started(GrpcServerStartedEvent event) {
    Role prepared = building.get();
    if (prepared != null
        && !(event.getSource().getFactory() instanceof InProcessGrpcServerFactory)) {
      building.remove();
      started.put(event.getServer(), prepared);
      prepared.takesIn().accept(event.getServer());
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
    Role prepared = started.remove(event.getServer());
    if (prepared != null && !shutdown.isShuttingDown()) {
      prepared.takesBack().run();
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
    Role unused = building.get();
    if (unused != null) {
      building.remove();
      unused.takesBack().run();
    }
  }
}
