package io.lastcall.agent.server;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.grpc.CoarseGrpc;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** grpc-java's servers on any transport, by what is public of them. */
public final class GrpcHooks implements ServerHooks {
  private static final ThreadLocal<CoarseGrpc.Prepared> BUILDING = new ThreadLocal<>();

  private final AgentShutdown shutdown;

  private final Map<Server, CoarseGrpc.Prepared> built =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Called by name. */
  public GrpcHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
  }

  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value) {
    GracefulShutdown installed = shutdown.get();
    if (installed == null) {
      return value;
    }
    switch (place) {
      case "grpc" -> {
        if (self instanceof ServerBuilder<?> builder) {
          BUILDING.set(CoarseGrpc.of(installed).withoutHealthService().prepare(builder));
        }
      }
      case "grpc built" -> {
        CoarseGrpc.Prepared prepared = BUILDING.get();
        BUILDING.remove();
        if (prepared != null && value instanceof Server server) {
          built.put(server, prepared);
        }
      }
      default -> {
        CoarseGrpc.Prepared prepared = value == null ? null : built.remove(value);
        // One within the process has no port, and nobody sends to it from elsewhere.
        if (prepared != null && value instanceof Server server && server.getPort() > 0) {
          prepared.started(server);
          shutdown.started();
        }
      }
    }
    return value;
  }
}
