package io.lastcall.examples.grpc;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.Backlog;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The part of one gRPC server in a shutdown.
 *
 * <pre>{@code
 * GrpcDrain drain = new GrpcDrain("grpc:8080", shutdown);
 * drain.start(NettyServerBuilder.forPort(8080).addService(new Orders()));
 * }</pre>
 *
 * It counts calls, answers {@code grpc.health.v1} (see {@link ReadinessHealth}), spreads GOAWAYs
 * over the propagation delay, closes the listener behind its backlog, and ends the event loops.
 * {@code Server.shutdown()} is not used for any of that: it closes the listener at once, which
 * resets what the kernel has queued, and sends every GOAWAY in one instant. Neither is {@code
 * maxConnectionAge}: it cannot be changed on a server that runs; it is worth having beside this.
 * Thread-safe.
 */
public final class GrpcDrain implements DrainableServer {
  private final String name;
  private final GracefulShutdown shutdown;
  private final CallInterceptor calls;

  // Event loops of our own: gRPC's shared ones end a second after the last server has let go.
  private final EventLoopGroup bosses =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoopGroup workers = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());

  private final Map<Channel, Accepts> listeners = new ConcurrentHashMap<>();
  private final Set<GrpcConnection> open = ConcurrentHashMap.newKeySet();

  /** Those of them that may still bring calls the gate does not know of. */
  private final Set<GrpcConnection> owed = ConcurrentHashMap.newKeySet();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean lastCall;
  private volatile @Nullable Server server;

  /**
   * @param name what logs and the report call the server, such as {@code grpc:8080}
   */
  public GrpcDrain(String name, GracefulShutdown shutdown) {
    this.name = name;
    this.shutdown = shutdown;
    calls = new CallInterceptor(shutdown.gate(), shutdown.connections());
  }

  /**
   * Starts the server and takes its part in the shutdown.
   *
   * @param builder with its port and services; not with event loops or a channel type, nor an
   *     executor that rejects calls: gRPC never says that such a call has ended
   * @throws IOException if it cannot be bound
   * @throws IllegalStateException if the shutdown has begun
   */
  public Server start(NettyServerBuilder builder) throws IOException {
    ReadinessHealth health = new ReadinessHealth(shutdown.probes());
    Server built =
        builder
            .bossEventLoopGroup(bosses)
            .workerEventLoopGroup(workers)
            .channelFactory(this::listener)
            .addStreamTracerFactory(Arrival.factory(shutdown.gate()))
            .addService(health.service())
            .intercept(calls) // the last one added is the first one called
            .build();
    server = built;
    try {
      built.start();
      health.follow(shutdown, built.getServices());
      shutdown.server(this);
    } catch (IOException | IllegalStateException failure) {
      // Nobody else would.
      built.shutdownNow();
      List.of(bosses, workers).forEach(EventLoopGroup::shutdownGracefully);
      throw failure;
    }
    return built;
  }

  /** A listener that lets us see its connections before anything of theirs is set up. */
  private ServerChannel listener() {
    NioServerSocketChannel listener = new NioServerSocketChannel();
    Accepts accepts = new Accepts(this::accepted);
    listener.pipeline().addFirst(accepts);
    listeners.put(listener, accepts);
    return listener;
  }

  private void accepted(Channel channel) {
    GrpcConnection connection = new GrpcConnection(channel, this);
    channel.pipeline().addFirst(connection);
    calls.accepted(channel);
    open.add(connection);
    owed.add(connection);
    channel.closeFuture().addListener(closed -> gone(connection));
  }

  Set<Channel> listeners() {
    return listeners.keySet();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    return List.copyOf(open);
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    try {
      awaitAccepted(deadline);
    } finally {
      for (Channel listener : listeners()) {
        listener.close().await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      }
    }
  }

  private void awaitAccepted(Deadline deadline) throws IOException {
    for (Map.Entry<Channel, Accepts> entry : listeners.entrySet()) {
      Channel listener = entry.getKey();
      if (listener.isOpen() && listener.localAddress() instanceof InetSocketAddress address) {
        Backlog.awaitAccepted(address, deadline, entry.getValue()::endWith);
      }
    }
  }

  /**
   * Completes when no call can come any more: every client was told which of its calls is the last,
   * and has agreed. Those calls are in the gate, which the drain waits for behind this; streaming
   * calls are not, and keep their connections until they are told to end.
   */
  @Override
  public CompletionStage<?> connectionsEnded() {
    lastCall = true;
    owed.forEach(GrpcConnection::announceClose);
    completeIfNoneOwed();
    return ended;
  }

  boolean isLastCall() {
    return lastCall;
  }

  @Override
  public void stop(Deadline deadline) throws Exception {
    Server started = server;
    if (started != null) {
      started.shutdownNow();
    }
    awaitQueued(deadline.atMost(deadline.remaining().dividedBy(2)));
    long nanos = deadline.remaining().toNanos();
    List<EventLoopGroup> groups = List.of(bosses, workers);
    groups.forEach(group -> group.shutdownGracefully(0, nanos, TimeUnit.NANOSECONDS));
    for (EventLoopGroup group : groups) {
      if (!group.awaitTermination(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException(name + ": an event loop is still busy");
      }
    }
  }

  /**
   * An event loop that shuts down closes its channels before it looks at what it was told: the
   * status of a call that has outlived DRAIN, say.
   */
  private void awaitQueued(Deadline deadline) throws InterruptedException {
    List<Future<?>> queued = new ArrayList<>();
    for (EventExecutor loop : workers) {
      queued.add(loop.submit(() -> {}));
    }
    for (Future<?> behind : queued) {
      behind.await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Closes the calls in flight with UNAVAILABLE. */
  void giveUpCalls() {
    calls.giveUp();
  }

  /** Nothing that the gate does not know of can come on {@code connection}. */
  void settled(GrpcConnection connection) {
    owed.remove(connection);
    completeIfNoneOwed();
  }

  private void gone(GrpcConnection connection) {
    open.remove(connection);
    settled(connection);
  }

  private void completeIfNoneOwed() {
    if (lastCall && owed.isEmpty()) {
      ended.complete(null);
    }
  }
}
