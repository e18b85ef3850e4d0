package io.lastcall.examples.grpc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.HttpConnection;
import io.lastcall.testing.Background;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In this JVM, without a signal: what is counted as what, and how the listener closes. */
@Timeout(120)
class GrpcDrainTest {
  private static final int SETTINGS = 4;

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final GrpcDrain drain = new GrpcDrain("grpc", shutdown);
  private Clients clients = new Clients(0);
  private int port;

  @BeforeEach
  void start() throws IOException {
    port = drain.start(NettyServerBuilder.forPort(0).addService(new Echo(timer))).getPort();
    clients = new Clients(port);
  }

  @AfterEach
  void stop() throws Exception {
    clients.close();
    drain.stop(soon());
    shutdown.uninstall();
    timer.shutdownNow();
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(30), Ticker.system());
  }

  private void awaitInFlight(long count) {
    Awaitility.await().until(() -> shutdown.gate().inFlight() == count);
  }

  @Test
  void start_portIsTaken_endsItsEventLoops() throws Exception {
    GrpcDrain other = new GrpcDrain("other", shutdown);
    assertThrows(IOException.class, () -> other.start(NettyServerBuilder.forPort(port)));
    EventLoopGroup bosses = other.listeners().iterator().next().eventLoop().parent();
    assertTrue(bosses.terminationFuture().await(30, SECONDS));
  }

  @Test
  void unaryCall_isInFlightUntilItsStatusIsSent() {
    CallOutcome<String> work = Clients.start(clients.fresh(), Echo.WORK, "3600000");
    awaitInFlight(1);
    Awaitility.await().until(() -> timer.getQueue().size() == 1);
    timer.getQueue().forEach(Runnable::run); // the hour is over
    assertEquals(Status.Code.OK, work.awaitStatus().getCode());
    awaitInFlight(0);
    assertEquals(0, shutdown.connections().open());
  }

  @Test
  void unaryCall_cancelledByItsClient_isNotInFlightAnyMore() {
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(() -> Clients.start(clients.fresh(), Echo.WORK, "3600000"));
    awaitInFlight(1);
    context.cancel(null);
    awaitInFlight(0);
  }

  @Test
  void forceClose_serverStopsBeforeTheEventLoopGetsToIt_callEndsUnavailable() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    ServerInterceptor holdsTheEventLoop =
        new ServerInterceptor() {
          @Override
          public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
              ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
            if (call.getMethodDescriptor()
                .getFullMethodName()
                .equals(Echo.ECHO.getFullMethodName())) {
              busy.countDown();
              awaitUninterruptibly(free);
            }
            return next.startCall(call, headers);
          }
        };
    GrpcDrain other = new GrpcDrain("other", shutdown);
    NettyServerBuilder builder =
        NettyServerBuilder.forPort(0)
            .directExecutor()
            .intercept(holdsTheEventLoop)
            .addService(new Echo(timer));
    try (Clients its = new Clients(other.start(builder).getPort())) {
      ManagedChannel channel = its.fresh();
      CallOutcome<String> stuck = Clients.start(channel, Echo.WORK, "3600000");
      awaitInFlight(1);
      Clients.start(channel, Echo.ECHO, "");
      busy.await();
      other.connections().forEach(HttpConnection::forceClose);
      Background<Boolean> stopping =
          Background.run(
              () -> {
                other.stop(soon());
                return true;
              });
      Awaitility.await().until(() -> stopping.thread().getState() == Thread.State.TIMED_WAITING);
      free.countDown();
      assertEquals(EndableCall.LEAVING.getDescription(), stuck.awaitStatus().getDescription());
      assertTrue(stopping.result());
    }
  }

  @Test
  void unaryCall_methodIsUnknownOrFails_isNotInFlightAnyMore() {
    Status unknown =
        Clients.start(
                clients.fresh(),
                Echo.ECHO.toBuilder().setFullMethodName("lastcall.Echo/Unknown").build(),
                "")
            .awaitStatus();
    assertEquals(Status.Code.UNIMPLEMENTED, unknown.getCode());
    Status failed = Clients.start(clients.fresh(), Echo.WORK, "no number").awaitStatus();
    assertEquals(Status.Code.UNKNOWN, failed.getCode());
    awaitInFlight(0);
  }

  @Test
  void streamingCall_isLongLivedAndNotInFlight() {
    Context.CancellableContext context = Context.current().withCancellation();
    List<CallOutcome<String>> ticks = new ArrayList<>();
    context.run(() -> ticks.add(Clients.start(clients.fresh(), Echo.TICKS, "tick")));
    ticks.get(0).awaitMessages(1);
    assertEquals(0, shutdown.gate().inFlight());
    assertEquals(1, shutdown.connections().open("grpc-stream"));
    context.cancel(null);
    Awaitility.await().until(() -> shutdown.connections().open() == 0);
  }

  @Test
  void healthCalls_areNoTraffic() {
    long before = shutdown.status().started();
    Clients.check(clients.fresh(), "");
    CallOutcome<HealthCheckResponse> watch = Clients.watch(clients.fresh());
    watch.awaitMessages(1);
    assertEquals(before, shutdown.status().started());
  }

  @Test
  void stopListening_connectionsInTheKernelsQueue_areAcceptedFirst() throws Exception {
    Channel listener = drain.listeners().iterator().next();
    CountDownLatch accepting = new CountDownLatch(1);
    listener.eventLoop().execute(() -> awaitUninterruptibly(accepting));
    List<Socket> queued = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        queued.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      CompletableFuture<Void> stopped =
          CompletableFuture.runAsync(
              () -> {
                try {
                  drain.stopListening(soon());
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      accepting.countDown();
      stopped.join();
      for (Socket socket : queued) {
        assertEquals(SETTINGS, socket.getInputStream().readNBytes(4)[3]);
      }
      assertTrue(!listener.isOpen());
    } finally {
      for (Socket socket : queued) {
        socket.close();
      }
    }
  }

  /** Whoever came in a moment in which it is closed and still listens would be reset. */
  @Test
  void stopListening_listenerIsClosed_listensNoMore() throws Exception {
    CompletableFuture<Boolean> connected = new CompletableFuture<>();
    Channel listener = drain.listeners().iterator().next();
    listener.closeFuture().addListener(closed -> connected.complete(connects()));

    drain.stopListening(soon());

    assertEquals(false, connected.join());
  }

  private boolean connects() throws IOException {
    try {
      new Socket(InetAddress.getLoopbackAddress(), port).close();
      return true;
    } catch (ConnectException refused) {
      return false;
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void connectionsEnded_streamStillOpen_isNotHeldByItsConnection() throws Exception {
    CallOutcome<String> ticks = Clients.start(clients.fresh(), Echo.TICKS, "tick");
    ticks.awaitMessages(1);
    CompletableFuture<?> ended = drain.connectionsEnded().toCompletableFuture();
    Awaitility.await().until(ended::isDone);
    int before = ticks.messages().size();
    ticks.awaitMessages(before + 1); // its connection lives
  }

  @Test
  void connectionsEnded_connectionHasLeftByItsAge_isNotHeldByIt() throws Exception {
    GrpcDrain other = new GrpcDrain("other", shutdown);
    NettyServerBuilder builder = NettyServerBuilder.forPort(0).maxConnectionAge(1, SECONDS);
    try (Clients aging = new Clients(other.start(builder.addService(new Echo(timer))).getPort())) {
      ManagedChannel channel = aging.fresh();
      Clients.start(channel, Echo.TICKS, "tick").awaitMessages(1);
      Awaitility.await()
          .until(() -> Clients.echo(channel, "").isEmpty() && other.connections().size() > 1);
      CompletableFuture<?> ended = other.connectionsEnded().toCompletableFuture();
      Awaitility.await().until(ended::isDone);
    } finally {
      other.stop(soon());
    }
  }
}
