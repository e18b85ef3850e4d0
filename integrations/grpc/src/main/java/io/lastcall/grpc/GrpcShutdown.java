package io.lastcall.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.Removable;
import io.lastcall.connection.DrainableServer;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets grpc-java's servers on Netty leave without losing a call. Immutable and thread-safe.
 *
 * <pre>{@code
 * Server server = GrpcShutdown.of(shutdown).start(NettyServerBuilder.forPort(8080).addService(new Orders()));
 * shutdown.started();
 * server.awaitTermination(); // its threads are daemons, as gRPC's own are
 * }</pre>
 *
 * <p>It counts calls from their headers on, answers {@code grpc.health.v1}, spreads GOAWAYs over
 * the propagation delay, tells streaming calls to end ({@link CallEnding}), closes the listener
 * after its backlog, and ends the event loops. {@code Server.shutdown()} does none of that: it
 * closes the listener at once, which resets the connections that the kernel has queued, and sends
 * every GOAWAY in one instant. {@code maxConnectionAge} is worth having beside this.
 */
public final class GrpcShutdown {
  private final GracefulShutdown shutdown;
  private final Function<? super DrainableServer, Removable> servers;
  private final boolean answersHealth;
  private final Set<String> finite;

  /**
   * @param servers adds the role of a listener to the shutdown
   * @param finite the full names of methods whose streams end by themselves
   */
  GrpcShutdown(
      GracefulShutdown shutdown,
      Function<? super DrainableServer, Removable> servers,
      boolean answersHealth,
      Set<String> finite) {
    this.shutdown = shutdown;
    this.servers = servers;
    this.answersHealth = answersHealth;
    this.finite = finite;
  }

  /** Returns what gRPC servers need of {@code shutdown}. */
  public static GrpcShutdown of(GracefulShutdown shutdown) {
    return new GrpcShutdown(shutdown, shutdown::server, true, Set.of());
  }

  /**
   * Returns the same without a health service, for an application that has one of its own and keeps
   * it in step with readiness. Its calls are no traffic either.
   */
  public GrpcShutdown withoutHealthService() {
    return new GrpcShutdown(shutdown, servers, false, finite);
  }

  /**
   * Returns the same with more methods whose streams end by themselves, such as an answer that is
   * sent in parts: DRAIN waits for their calls as for any other. By default it waits for a stream
   * only if the client has set a deadline, since a stream without one may last for ever.
   */
  public GrpcShutdown withFiniteStreams(MethodDescriptor<?, ?>... methods) {
    Set<String> all = new HashSet<>(finite);
    Stream.of(methods).map(MethodDescriptor::getFullMethodName).forEach(all::add);
    return new GrpcShutdown(shutdown, servers, answersHealth, Set.copyOf(all));
  }

  /**
   * Builds the server, starts it, and adds it to the shutdown.
   *
   * @param builder with its address, services and TLS. Event loops, channel type and a health
   *     service of its own are replaced; an executor must not reject calls, since gRPC never says
   *     that a rejected call has ended
   * @return started; its event loops end as the last thing before the process exits
   * @throws IOException if it cannot be bound
   * @throws IllegalStateException if the shutdown has begun
   */
  public Server start(NettyServerBuilder builder) throws IOException {
    Prepared prepared = prepare(builder);
    Server server = builder.build();
    try {
      server.start();
      prepared.started(server);
    } catch (IOException | RuntimeException failure) {
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
  public Prepared prepare(NettyServerBuilder builder) {
    CallInterceptor calls = new CallInterceptor(shutdown.gate(), shutdown.connections(), finite);
    Listeners listeners = new Listeners();
    builder
        .bossEventLoopGroup(listeners.bosses())
        .workerEventLoopGroup(listeners.workers())
        .channelFactory(listeners)
        .addStreamTracerFactory(CountedCall.factory(shutdown.gate()))
        .addTransportFilter(calls)
        .intercept(calls);
    HealthService health = answersHealth ? new HealthService(shutdown.probes()) : null;
    if (health != null) {
      builder.addService(health.definition());
    }
    return new Prepared(listeners, health);
  }

  /** A server whose builder is prepared. Thread-safe. */
  public final class Prepared implements AutoCloseable {
    private final Listeners listeners;
    private final @Nullable HealthService health;
    private final List<Removable> added = new CopyOnWriteArrayList<>();

    private Prepared(Listeners listeners, @Nullable HealthService health) {
      this.listeners = listeners;
      this.health = health;
    }

    /**
     * Adds the server to the shutdown. Call it right after {@code server.start()}.
     *
     * @throws IllegalStateException if the shutdown has begun
     */
    public void started(Server server) {
      if (health != null) {
        added.addAll(health.follow(shutdown, server.getServices()));
      }
      listeners.roles(shutdown).forEach(role -> added.add(servers.apply(role)));
      // Before the roles, which end the event loops.
      Step end = Step.of(Phase.EXIT, "end gRPC", step -> server.shutdownNow());
      added.add(shutdown.step(end.withOrder(Integer.MIN_VALUE)));
    }

    /**
     * Takes the server back from the shutdown and ends its event loops: where it could not be
     * started, or was stopped without a shutdown.
     */
    @Override
    public void close() {
      added.forEach(Removable::remove);
      listeners.close();
    }
  }
}
