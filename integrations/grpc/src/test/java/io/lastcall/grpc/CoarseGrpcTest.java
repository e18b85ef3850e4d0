package io.lastcall.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.lastcall.GracefulShutdown;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transports that the exact adapter does not know. */
@Timeout(240)
@Tag("all")
class CoarseGrpcTest {
  /** Without the artifacts that the exact form needs: the coarse one must do without them. */
  private static ServerProcess start(Map<String, String> settings) throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.matches(".*/(grpc-netty-[0-9]|netty-|lastcall-netty).*"))
            .collect(Collectors.joining(File.pathSeparator));
    return ServerProcess.start(ShadedServer.class, classPath, settings);
  }

  private static Map<String, String> settings(String gracePeriod, String propagationDelay) {
    return Map.of(
        "LASTCALL_GRACE_PERIOD", gracePeriod, "LASTCALL_PROPAGATION_DELAY", propagationDelay);
  }

  @Test
  @Tag("forked")
  void sigterm_shaded_callsInFlightIdleConnectionsAndNewCalls_noneIsLost() throws Exception {
    try (ServerProcess server = start(settings("60s", "2s"));
        Clients clients = new Clients(server.port())) {
      List<ManagedChannel> channels = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        channels.add(clients.idle());
      }
      CallOutcome<String> inFlight = Clients.start(channels.get(0), Echo.WORK, "5000");
      Clients.echo(channels.get(0), "behind the call in flight");
      assertEquals(ServingStatus.SERVING, Clients.check(channels.get(1), ""));

      server.terminate();
      server.awaitLine("Shutdown begun by");
      int served = 0;
      while (!server.hasLogged("Readiness fails now")) {
        String text = Integer.toString(served);
        ManagedChannel channel =
            served % 3 == 0 ? clients.fresh() : channels.get(served % channels.size());
        assertEquals(text, Clients.echo(channel, text));
        served++;
      }

      assertTrue(served > 0);
      assertEquals(Status.Code.OK, inFlight.awaitStatus().getCode());
      assertEquals(List.of("5000"), inFlight.messages());
      assertEquals(0, server.exitCode(), server::log);
      assertTrue(server.hasLogged("Shutdown clean"), server::log);
      assertUnavailable(channels.get(1));
    }
  }

  /** The usual hook closes the listener at SIGTERM, while routers still send. */
  @Test
  @Tag("forked")
  void sigterm_shadedWithoutTheLibrary_newConnectionsAreRefused() throws Exception {
    try (ServerProcess server = start(Map.of("NAIVE", "true"));
        Clients clients = new Clients(server.port())) {
      CallOutcome<String> inFlight = Clients.start(clients.idle(), Echo.WORK, "5000");
      server.terminate();
      Awaitility.await().until(() -> isRefused(clients));
      assertTrue(server.isAlive());
      assertEquals(Status.Code.OK, inFlight.awaitStatus().getCode());
      assertEquals(143, server.exitCode(), server::log);
    }
  }

  private static boolean isRefused(Clients clients) {
    try {
      Clients.echo(clients.fresh(), "new");
      return false;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.UNAVAILABLE;
    }
  }

  @Test
  @Tag("forked")
  void sigterm_shadedCallThatNeverEnds_isClosedUnavailableAndNamed() throws Exception {
    try (ServerProcess server = start(settings("16s", "0s"));
        Clients clients = new Clients(server.port())) {
      CallOutcome<String> stuck = Clients.start(clients.idle(), Echo.WORK, "3600000");
      Clients.echo(clients.idle(), "behind it");
      server.terminate();
      assertEquals("the server is shutting down", stuck.awaitStatus().getDescription());
      assertEquals(80, server.exitCode(), server::log);
      assertTrue(server.hasLogged("lastcall.Echo/Work"), server::log);
    }
  }

  @Test
  void inProcess_callIsCountedAndHealthIsAnswered() throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().install();
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    Server server =
        CoarseGrpc.of(shutdown)
            .start(InProcessServerBuilder.forName("orders").addService(new Echo(timer)));
    ManagedChannel channel = InProcessChannelBuilder.forName("orders").build();
    try {
      CallOutcome<String> stuck = Clients.start(channel, Echo.WORK, "3600000");
      Awaitility.await().until(() -> shutdown.gate().inFlight() == 1);
      assertEquals(ServingStatus.SERVING, Clients.check(channel, "lastcall.Echo"));
      assertEquals(1, shutdown.gate().inFlight());
      assertEquals(1, shutdown.servers().size());
      server.shutdownNow();
      stuck.awaitStatus();
      Awaitility.await().until(() -> shutdown.gate().inFlight() == 0);
    } finally {
      channel.shutdownNow();
      timer.shutdownNow();
      shutdown.uninstall();
    }
  }

  private static void assertUnavailable(ManagedChannel channel) {
    StatusRuntimeException failure =
        assertThrows(StatusRuntimeException.class, () -> Clients.echo(channel, "after it"));
    assertEquals(Status.Code.UNAVAILABLE, failure.getStatus().getCode());
  }
}
