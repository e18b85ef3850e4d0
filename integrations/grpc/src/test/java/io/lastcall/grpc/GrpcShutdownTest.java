package io.lastcall.grpc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In this JVM, without a signal: what is counted as what, and what a connection waits for. */
@Timeout(120)
class GrpcShutdownTest {
  private static final int SETTINGS = 4;

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final TestServer server;
  private final Clients clients;

  GrpcShutdownTest() throws IOException {
    server = new TestServer(shutdown, NettyServerBuilder.forPort(0).addService(new Echo(timer)));
    clients = new Clients(server.port());
  }

  @AfterEach
  void stop() throws IOException {
    clients.close();
    server.close();
    shutdown.uninstall();
    timer.shutdownNow();
  }

  private void awaitInFlight(long count) {
    Awaitility.await().until(() -> shutdown.gate().inFlight() == count);
  }

  @Test
  void start_portIsTaken_endsItsEventLoops() {
    Set<Thread> before = acceptors();
    NettyServerBuilder builder = NettyServerBuilder.forPort(server.port());
    assertThrows(IOException.class, () -> GrpcShutdown.of(shutdown).start(builder));
    Awaitility.await().until(() -> acceptors().equals(before));
  }

  private static Set<Thread> acceptors() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("grpc-boss"))
        .collect(Collectors.toSet());
  }

  /** By its pace core knows how long a kubelet takes to see readiness fail. */
  @Test
  void healthCheck_thatIsNotLiveness_isAQuestionForReadiness() {
    assertEquals(ServingStatus.SERVING, Clients.check(clients.fresh(), "liveness"));
    assertTrue(shutdown.probes().readinessPeriod().isZero());
    assertEquals(ServingStatus.SERVING, Clients.check(clients.fresh(), ""));
    assertFalse(shutdown.probes().readinessPeriod().isZero());
  }

  @Test
  void unaryCall_isInFlightUntilItsStatusIsSent() {
    CallOutcome<String> work = Clients.start(clients.fresh(), Echo.WORK, "3600000");
    awaitInFlight(1);
    Awaitility.await().until(() -> timer.getQueue().size() == 1);
    timer.getQueue().forEach(Runnable::run); // the hour has passed
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

  /** Its client waits for an end. */
  @Test
  void streamingCall_withADeadline_isInFlightToItsEnd() {
    CountDownLatch counted = new CountDownLatch(1);
    timer.execute(() -> GiveUpTest.awaitUninterruptibly(counted)); // the second part waits for it
    CallOutcome<String> parts = Clients.start(clients.fresh(), Echo.PARTS, "2");
    parts.awaitMessages(1);
    assertEquals(1, shutdown.gate().inFlight());
    assertEquals(0, shutdown.connections().open());
    counted.countDown();
    assertEquals(Status.Code.OK, parts.awaitStatus().getCode());
    assertEquals(List.of("1", "2"), parts.messages());
    awaitInFlight(0);
  }

  @Test
  void streamingCall_withoutADeadline_isLongLived() {
    CallOutcome<String> parts =
        Clients.startWithoutDeadline(clients.fresh(), Echo.PARTS, "1000000");
    parts.awaitMessages(1);
    assertEquals(0, shutdown.gate().inFlight());
    assertEquals(1, shutdown.connections().open("grpc-stream"));
  }

  @Test
  void streamingCall_withoutADeadlineOfAFiniteMethod_isInFlight() throws Exception {
    List<DrainableServer> roles = new ArrayList<>();
    Server finite =
        TestServer.grpc(shutdown, roles)
            .withFiniteStreams(Echo.PARTS)
            .start(NettyServerBuilder.forPort(0).addService(new Echo(timer)));
    try (Clients its = new Clients(finite.getPort())) {
      CallOutcome<String> parts = Clients.startWithoutDeadline(its.fresh(), Echo.PARTS, "1000000");
      parts.awaitMessages(1);
      assertEquals(1, shutdown.gate().inFlight());
      assertEquals(0, shutdown.connections().open());
    } finally {
      roles.get(0).stop(TestServer.soon());
    }
    awaitInFlight(0);
  }

  /** It has a deadline, too, but says how it is ended. */
  @Test
  void streamingCall_isLongLivedAndNotInFlight() {
    Context.CancellableContext context = Context.current().withCancellation();
    List<CallOutcome<String>> ticks = new ArrayList<>();
    context.run(() -> ticks.add(Clients.start(clients.fresh(), Echo.TICKS, "tick")));
    ticks.get(0).awaitMessages(1);
    awaitInFlight(0);
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
  void stopListening_connectionsThatHaveNotSentYet_areServedOnAndOthersRefused() throws Exception {
    List<Socket> accepted = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        accepted.add(connect());
      }
      server.role().stopListening(TestServer.soon());
      for (Socket socket : accepted) {
        assertEquals(SETTINGS, socket.getInputStream().readNBytes(4)[3]);
      }
      assertThrows(ConnectException.class, this::connect);
    } finally {
      for (Socket socket : accepted) {
        socket.close();
      }
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  @Test
  void start_severalAddresses_eachListenerHasARole() throws Exception {
    NettyServerBuilder builder =
        NettyServerBuilder.forPort(0)
            .addListenAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    List<DrainableServer> roles = new ArrayList<>();
    TestServer.grpc(shutdown, roles).start(builder);
    assertEquals(2, roles.stream().map(DrainableServer::name).distinct().count());
    for (DrainableServer role : roles) {
      role.stop(TestServer.soon());
    }
  }

  @Test
  void connectionsEnded_streamStillOpen_isNotHeldByItsConnection() {
    CallOutcome<String> ticks = Clients.start(clients.fresh(), Echo.TICKS, "tick");
    ticks.awaitMessages(1);
    CompletableFuture<?> ended = server.role().connectionsEnded().toCompletableFuture();
    Awaitility.await().until(ended::isDone);
    int before = ticks.messages().size();
    ticks.awaitMessages(before + 1); // its connection lives
  }

  @Test
  void connectionsEnded_connectionHasLeftByItsAge_isNotHeldByIt() throws Exception {
    NettyServerBuilder builder =
        NettyServerBuilder.forPort(0).maxConnectionAge(1, SECONDS).addService(new Echo(timer));
    try (TestServer aging = new TestServer(shutdown, builder);
        Clients its = new Clients(aging.port())) {
      ManagedChannel channel = its.fresh();
      CallOutcome<String> ticks = Clients.start(channel, Echo.TICKS, "tick");
      ticks.awaitMessages(1);
      Awaitility.await()
          .until(
              () -> Clients.echo(channel, "").isEmpty() && aging.role().connections().size() > 1);
      CompletableFuture<?> ended = aging.role().connectionsEnded().toCompletableFuture();
      Awaitility.await().until(ended::isDone);
      assertFalse(ticks.isOver());
    }
  }
}
