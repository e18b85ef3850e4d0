package io.lastcall.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.Removable;
import io.lastcall.connection.DrainableServer;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets grpc-java's servers on any transport leave: {@code grpc-netty-shaded}, OkHttp, in-process.
 * It stands on grpc-java's public API alone, so that {@code grpc-netty} and {@code lastcall-netty}
 * need not be there. On {@code grpc-netty}, {@link GrpcShutdown} does more. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * Server server = CoarseGrpc.of(shutdown).start(Grpc.newServerBuilderForPort(8080, credentials).addService(new Orders()));
 * }</pre>
 *
 * <p>Calls are counted from their headers on, {@code grpc.health.v1} is answered, and DRAIN waits
 * for the calls in flight, as with {@link GrpcShutdown}. Then comes grpc-java's own {@code
 * shutdown()}: it closes the listener, and sends each connection the two GOAWAYs of RFC 9113,
 * section 6.8. So they go out all at once, after the propagation delay and not spread over it, and
 * a connection that waits in the listener's queue is reset.
 */
public final class CoarseGrpc {
  /**
   * How long connections get, after their first GOAWAY, to answer its PING and to end: longer than
   * a round trip around the world. Calls that come by then are served.
   */
  private static final Duration GOING = Duration.ofSeconds(1);

  private final GracefulShutdown shutdown;
  private final boolean answersHealth;
  private final Set<String> finite;

  /**
   * @param finite the full names of methods whose streams end by themselves
   */
  private CoarseGrpc(GracefulShutdown shutdown, boolean answersHealth, Set<String> finite) {
    this.shutdown = shutdown;
    this.answersHealth = answersHealth;
    this.finite = finite;
  }

  /** Returns what gRPC servers need of {@code shutdown}. */
  public static CoarseGrpc of(GracefulShutdown shutdown) {
    return new CoarseGrpc(shutdown, true, Set.of());
  }

  /** As {@link GrpcShutdown#withoutHealthService}. */
  public CoarseGrpc withoutHealthService() {
    return new CoarseGrpc(shutdown, false, finite);
  }

  /** As {@link GrpcShutdown#withFiniteStreams}. */
  public CoarseGrpc withFiniteStreams(MethodDescriptor<?, ?>... methods) {
    Set<String> all = new HashSet<>(finite);
    Stream.of(methods).map(MethodDescriptor::getFullMethodName).forEach(all::add);
    return new CoarseGrpc(shutdown, answersHealth, Set.copyOf(all));
  }

  /**
   * Builds the server, starts it, and adds it to the shutdown.
   *
   * @param builder with its address, services and TLS, and without a health service of its own; it
   *     must take stream tracers, as all of grpc-java's do
   * @return started
   * @throws IOException if it cannot be bound
   * @throws IllegalStateException if the shutdown has begun
   */
  public Server start(ServerBuilder<?> builder) throws IOException {
    Prepared prepared = prepare(builder);
    Server server = builder.build().start();
    try {
      prepared.started(server);
    } catch (RuntimeException failure) {
      server.shutdownNow();
      prepared.close();
      throw failure;
    }
    return server;
  }

  /**
   * Does the first half of {@link #start}, for a framework that builds and starts the server
   * itself. Call it last: of two interceptors the one added last is called first.
   *
   * @param builder as for {@link #start}
   */
  public Prepared prepare(ServerBuilder<?> builder) {
    CallInterceptor calls = new CallInterceptor(shutdown.gate(), shutdown.connections(), finite);
    builder
        .addStreamTracerFactory(CountedCall.factory(shutdown.gate()))
        .addTransportFilter(calls)
        .intercept(calls);
    HealthService health = answersHealth ? new HealthService(shutdown.probes()) : null;
    if (health != null) {
      builder.addService(health.definition());
    }
    return new Prepared(shutdown, health);
  }

  /** A server whose builder is prepared. Thread-safe. */
  public static final class Prepared implements AutoCloseable {
    private final GracefulShutdown shutdown;
    private final @Nullable HealthService health;
    private final List<Removable> added = new CopyOnWriteArrayList<>();

    private Prepared(GracefulShutdown shutdown, @Nullable HealthService health) {
      this.shutdown = shutdown;
      this.health = health;
    }

    /**
     * Adds the server to the shutdown. Call it right after {@code server.start()}.
     *
     * @throws IllegalStateException if the shutdown has begun
     */
    public void started(Server server) {
      String name = server.getPort() > 0 ? "grpc:" + server.getPort() : "grpc";
      added.add(
          shutdown.server(
              DrainableServer.of(
                  name, end -> await(server.shutdown(), end), end -> stop(server, end))));
      if (health != null) {
        added.addAll(health.follow(shutdown, server.getServices()));
      }
    }

    /** Takes the server back from the shutdown: where it was stopped without one. */
    @Override
    public void close() {
      added.forEach(Removable::remove);
    }

    private static void stop(Server server, Deadline end) throws InterruptedException {
      await(server.shutdownNow(), end);
    }

    /** What it has not ended by then is the gate's business: calls are counted. */
    private static void await(Server server, Deadline end) throws InterruptedException {
      long nanos = end.atMost(GOING).remaining().toNanos();
      boolean unused = server.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    }
  }
}
