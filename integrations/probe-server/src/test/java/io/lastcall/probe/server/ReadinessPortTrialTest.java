package io.lastcall.probe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.FreePort;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What install() does to find out whether the port can be had. */
@Timeout(120)
class ReadinessPortTrialTest {
  private final int port = FreePort.next();

  @Test
  void bound_probed_isClosedAllTheSame() throws IOException {
    try (Socket trial = ReadinessPort.bound(port)) {
      assertTrue(trial.isBound());
      assertThrows(ConnectException.class, () -> connect().close());
    }
  }

  @Test
  void port_somebodyListensOnAllOfIpv4_isRefused() throws IOException {
    assertRefused(StandardProtocolFamily.INET, "0.0.0.0");
  }

  @Test
  void port_somebodyListensOnAllOfIpv6_isRefused() throws IOException {
    assertRefused(StandardProtocolFamily.INET6, "::");
  }

  @Test
  void port_somebodyListensOnLoopback_isRefused() throws IOException {
    assertRefused(StandardProtocolFamily.INET, "127.0.0.1");
  }

  private void assertRefused(ProtocolFamily family, String address) throws IOException {
    try (ServerSocketChannel other = open(family)) {
      other.bind(new InetSocketAddress(address, port));
      Exception e = assertThrows(IllegalArgumentException.class, () -> new ReadinessPort(port));
      assertEquals("Address already in use; allowed: a port that is free", e.getMessage());
    }
  }

  private static ServerSocketChannel open(ProtocolFamily family) throws IOException {
    try {
      return ServerSocketChannel.open(family);
    } catch (UnsupportedOperationException e) {
      return Assumptions.abort("no " + family + " here");
    }
  }

  /** Whoever closes first keeps the connection for a minute: TIME_WAIT. */
  @Test
  void port_onlyConnectionsOfAPredecessorAreLeft_isHad() throws IOException {
    try (ServerSocket predecessor = new ServerSocket(port);
        Socket client = connect()) {
      predecessor.accept().close();
      assertEquals(-1, client.getInputStream().read());
    }
    try (Socket strict = new Socket()) {
      strict.setReuseAddress(false);
      assertThrows(BindException.class, () -> strict.bind(new InetSocketAddress(port)));
    }
    assertEquals("readiness-port=" + port, new ReadinessPort(port).toString());
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }
}
