package io.lastcall.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server in a JVM of its own, a real SIGTERM, and real clients. */
@Tag("forked")
@Timeout(240)
class SigtermTest {
  private static final String REFUSED = "the server is shutting down";

  @Test
  void sigterm_callsInFlightIdleConnectionsAndNewCalls_noneIsLost() throws Exception {
    try (ServerProcess server = start("60s", "2s");
        Clients clients = new Clients(server.port())) {
      List<ManagedChannel> channels = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        channels.add(clients.idle());
      }
      CallOutcome<String> inFlight = Clients.start(channels.get(0), Echo.WORK, "5000");
      ManagedChannel idle = clients.idle();
      Clients.echo(channels.get(0), "behind the call in flight");

      server.terminate();
      server.awaitLine("Shutdown begun by");
      int served = 0;
      while (!server.hasLogged("Readiness fails now")) {
        String text = Integer.toString(served);
        assertEquals(text, Clients.echo(channels.get(served % channels.size()), text));
        served++;
      }

      assertTrue(served > channels.size(), "served " + served);
      assertEquals(Status.Code.OK, inFlight.awaitStatus().getCode());
      assertEquals(List.of("5000"), inFlight.messages());
      assertEquals(0, server.exitCode(), server::log);
      assertTrue(server.hasLogged("Shutdown clean"), server::log);
      assertThrowsUnavailable(idle, Optional.empty());
    }
  }

  @Test
  void sigterm_connectionOpenedInTheWindow_isServed() throws Exception {
    try (ServerProcess server = start("60s", "2s");
        Clients clients = new Clients(server.port())) {
      // Or a client that is slow to begin looks like one whose calls are not counted.
      Clients.echo(clients.fresh(), "first");
      server.terminate();
      server.awaitLine("Shutdown begun by");
      int served = 0;
      while (!server.hasLogged("Readiness fails now") && served < 200) {
        assertEquals("new", Clients.echo(clients.fresh(), "new"));
        served++;
      }
      assertTrue(served > 0);
      assertEquals(0, server.exitCode(), server::log);
      assertTrue(server.hasLogged("last new connection after"), server::log);
    }
  }

  @Test
  void sigterm_streamingCall_doesNotHoldTheDrainAndEndsAsTheApplicationSays() throws Exception {
    try (ServerProcess server = start("60s", "0s");
        Clients clients = new Clients(server.port())) {
      CallOutcome<String> ticks = Clients.start(clients.fresh(), Echo.TICKS, "tick");
      ticks.awaitMessages(2);

      server.terminate();

      assertEquals(Status.Code.OK, ticks.awaitStatus().getCode());
      List<String> messages = ticks.messages();
      assertEquals("last call", messages.get(messages.size() - 1));
      assertEquals(0, server.exitCode(), server::log);
      assertTrue(server.hasLogged("Closing 1 long-lived connection"), server::log);
    }
  }

  @Test
  void sigterm_finiteStream_isWhole() throws Exception {
    try (ServerProcess server = start("60s", "0s");
        Clients clients = new Clients(server.port())) {
      CallOutcome<String> parts = Clients.start(clients.fresh(), Echo.PARTS, "30");
      parts.awaitMessages(2);

      server.terminate();

      assertEquals(Status.Code.OK, parts.awaitStatus().getCode());
      assertEquals(30, parts.messages().size());
      assertEquals(0, server.exitCode(), server::log);
      assertTrue(server.hasLogged("DRAIN waits for 1 request in flight"), server::log);
    }
  }

  /** What it has to be compared with: gRPC's own shutdown in a hook. */
  @Test
  void sigterm_finiteStreamWithoutTheLibrary_isWhole() throws Exception {
    try (ServerProcess server = ServerProcess.start(Map.of("NAIVE", "true"));
        Clients clients = new Clients(server.port())) {
      CallOutcome<String> parts = Clients.start(clients.fresh(), Echo.PARTS, "30");
      parts.awaitMessages(2);
      server.terminate();
      assertEquals(Status.Code.OK, parts.awaitStatus().getCode());
      assertEquals(30, parts.messages().size());
    }
  }

  @Test
  void sigterm_callThatNeverEnds_isClosedUnavailableAndTheExitIsBeforeTheDeadline()
      throws Exception {
    // In a time of 15 s or less nothing is refused before the end.
    try (ServerProcess server = start("16s", "0s");
        Clients clients = new Clients(server.port())) {
      ManagedChannel channel = clients.idle();
      CallOutcome<String> stuck = Clients.start(channel, Echo.WORK, "3600000");
      Clients.echo(channel, "behind it");

      server.terminate();

      // From the late cutoff on, new calls are refused, so that those inside can finish.
      assertThrowsUnavailable(channel, Optional.of(REFUSED));
      assertFalse(stuck.isOver());
      Status status = stuck.awaitStatus();
      assertEquals(Status.Code.UNAVAILABLE, status.getCode());
      assertEquals(REFUSED, status.getDescription());
      // 81 would be the halt a second before the deadline, 137 the SIGKILL behind it.
      assertEquals(80, server.exitCode(), server::log);
      assertTrue(server.hasLogged("lastcall.Echo/Work"), server::log);
    }
  }

  private static ServerProcess start(String gracePeriod, String propagationDelay) throws Exception {
    return ServerProcess.start(
        Map.of(
            "LASTCALL_GRACE_PERIOD", gracePeriod, "LASTCALL_PROPAGATION_DELAY", propagationDelay));
  }

  /** Calls until a call fails: UNAVAILABLE, and with this description if one is given. */
  private static void assertThrowsUnavailable(
      ManagedChannel channel, Optional<String> description) {
    while (true) {
      try {
        Clients.echo(channel, "again");
      } catch (StatusRuntimeException e) {
        assertEquals(Status.Code.UNAVAILABLE, e.getStatus().getCode());
        description.ifPresent(text -> assertEquals(text, e.getStatus().getDescription()));
        return;
      }
    }
  }
}
