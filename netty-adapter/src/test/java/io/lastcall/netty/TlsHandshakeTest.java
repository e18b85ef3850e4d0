package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.RawClient;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that are told to close while their client is not yet done with its handshake. */
@Timeout(120)
@ParameterizedClass
@EnumSource
final class TlsHandshakeTest {
  private final Transport transport;

  private TestServer server;

  TlsHandshakeTest(Transport transport) {
    transport.assumeAvailable();
    this.transport = transport;
  }

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(transport, Loopback.server());
    server.setPatience(Duration.ZERO);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    assertEquals(0, server.inFlight());
  }

  @ParameterizedTest
  @EnumSource
  void closeIfIdle_halfOfTheHelloRead_isServed(TestServer.TlsPipeline pipeline) throws Exception {
    server.tlsPipeline = pipeline;
    try (RawClient client = connect(this::tellToClose)) {
      assertServed(client);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closeIfIdle_handshakeJustDone_firstRequestIsAwaited(TestServer.TlsPipeline pipeline)
      throws Exception {
    server.tlsPipeline = pipeline;
    try (RawClient client =
        connect(
            () -> {
              server.awaitConnection();
              server.setPatience(Duration.ofHours(1));
            })) {
      tellToClose();
      assertServed(client);
    }
  }

  private static void assertServed(RawClient client) throws IOException {
    client.get("/fast");
    assertTrue(client.read().saysClose());
    assertEquals("", client.rest());
  }

  @ParameterizedTest
  @EnumSource
  void lastCall_halfOfTheHelloRead_endsBehindTheHandshake(TestServer.TlsPipeline pipeline)
      throws Exception {
    server.tlsPipeline = pipeline;
    try (RawClient client =
        connect(
            () -> {
              tellToClose();
              server.server.connectionsEnded();
            })) {
      assertEquals("", client.rest());
      server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void forceClose_halfOfTheHelloRead_isClosed(TestServer.TlsPipeline pipeline) {
    server.tlsPipeline = pipeline;
    assertThrows(
        IOException.class,
        () ->
            connect(
                () -> {
                  tellToClose();
                  server.server.connections().forEach(connection -> connection.forceClose());
                  server.awaitChecked();
                }));
    await().until(() -> server.server.connections().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void closeIfIdle_nothingOfTheHello_isClosed(TestServer.TlsPipeline pipeline) throws Exception {
    server.tlsPipeline = pipeline;
    try (RawClient client = new RawClient(server.port)) {
      tellToClose();

      assertEquals("", client.rest());
    }
  }

  /** What has been sent has been read behind it. */
  private void tellToClose() throws InterruptedException {
    server.awaitConnection();
    server.leave();
    server.closeIdle();
    server.awaitChecked();
  }

  private interface Act {
    void run() throws Exception;
  }

  /** Returns behind the handshake, whose first flight comes in two halves. */
  private RawClient connect(Act betweenTheHalves) throws Exception {
    Socket halting = new Halting(betweenTheHalves);
    halting.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port));
    SSLSocket socket =
        (SSLSocket)
            Loopback.client()
                .getSocketFactory()
                .createSocket(halting, "127.0.0.1", server.port, true);
    try {
      socket.startHandshake();
    } catch (IOException failed) {
      halting.close();
      throw failed;
    }
    return new RawClient(socket);
  }

  /** Does something when half of the first thing that is written is out. */
  private static final class Halting extends Socket {
    private final Act act;
    private boolean begun;

    Halting(Act act) {
      this.act = act;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          int first = begun ? length : length / 2;
          out.write(bytes, offset, first);
          if (!begun) {
            begun = true;
            try {
              act.run();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }
          out.write(bytes, offset + first, length - first);
        }
      };
    }
  }
}
