package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.TestKeys;
import io.lastcall.servlet.TomcatFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same drain with TLS, and with HTTP/2 by ALPN. */
@Timeout(60)
class JettyTlsTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private JettyFixture jetty;
  private SSLContext trusting;

  @BeforeEach
  void create(@TempDir Path folder) throws Exception {
    Path keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
    trusting = TestKeys.trust(keys);
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStorePath(keys.toString());
    tls.setKeyStorePassword(TestKeys.SECRET);
    HttpConfiguration configuration = new HttpConfiguration();
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol("http/1.1");
    jetty =
        new JettyFixture(
            new SslConnectionFactory(tls, alpn.getProtocol()),
            alpn,
            new LastcallHttp2ConnectionFactory(configuration),
            new HttpConnectionFactory(configuration));
    jetty.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    jetty.serve(
        "/hold",
        (request, response) -> {
          entered.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          response.getWriter().print("plain");
        });
    jetty.start();
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    jetty.stop();
  }

  private SSLSocket connect(Socket plain) throws IOException {
    plain.setSoTimeout((int) TomcatFixture.LIMIT.toMillis());
    SSLSocket socket =
        (SSLSocket)
            trusting.getSocketFactory().createSocket(plain, "127.0.0.1", jetty.port(), true);
    socket.startHandshake();
    return socket;
  }

  private SSLSocket connect() throws IOException {
    return connect(new Socket(InetAddress.getLoopbackAddress(), jetty.port()));
  }

  private static void get(Socket socket, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static String readToBody(Socket socket) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf("\r\n\r\nplain") < 0) {
      int b = socket.getInputStream().read();
      assertTrue(b >= 0, () -> "ended early: " + read);
      read.append((char) b);
    }
    return read.toString();
  }

  private boolean drainLeavesNoneOwed() throws Exception {
    return jetty.drain().isDone();
  }

  @Test
  void drain_idleConnection_endsByCloseNotify() throws Exception {
    try (SSLSocket client = connect()) {
      get(client, "/plain");
      readToBody(client);
      await().until(this::drainLeavesNoneOwed);
      // Without a close_notify the JDK's client would throw.
      assertEquals(-1, client.getInputStream().read());
    }
    await().until(() -> jetty.server.connections().isEmpty());
  }

  @Test
  void drain_handshakeDoneButNothingAsked_endsByCloseNotify() throws Exception {
    try (SSLSocket client = connect()) {
      await().until(this::drainLeavesNoneOwed);
      assertEquals(-1, client.getInputStream().read());
    }
  }

  @Test
  void drain_requestRunning_isAnsweredFirst() throws Exception {
    try (SSLSocket client = connect()) {
      get(client, "/hold");
      entered.await();
      CompletableFuture<?> ended = jetty.drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertTrue(readToBody(client).contains("Connection: close"));
      ended.get();
      assertEquals(-1, client.getInputStream().read());
    }
  }

  @Test
  void drain_connectedWithoutHello_isNotWaitedFor() throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), jetty.port())) {
      await().until(() -> jetty.server.connections().size() == 1);
      await().until(this::drainLeavesNoneOwed);
      assertEquals(-1, client.getInputStream().read());
    }
  }

  @Test
  void drain_partOfARecordArrived_isAnsweredFirst() throws Exception {
    try (HalvingSocket halving = new HalvingSocket(jetty.port());
        SSLSocket client = connect(halving)) {
      get(client, "/plain");
      readToBody(client);
      halving.holdBack();
      get(client, "/plain");
      CompletableFuture<?> ended = jetty.drain();
      assertFalse(ended.isDone());
      halving.release();
      readToBody(client);
      ended.get();
    }
  }

  @Test
  void drain_http2ByAlpn_endsByItsClose() throws Exception {
    HttpClient client =
        HttpClient.newBuilder().version(Version.HTTP_2).sslContext(trusting).build();
    URI plain = URI.create("https://127.0.0.1:" + jetty.port() + "/plain");
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(plain).build(), BodyHandlers.ofString());
    assertEquals(Version.HTTP_2, response.version());
    assertEquals("plain", response.body());
    jetty.drain().get();
    await().until(() -> jetty.server.connections().isEmpty());
  }

  /** Sends the first half of a write, and the rest when it is told to. */
  private static final class HalvingSocket extends Socket {
    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private boolean holding;

    HalvingSocket(int port) throws IOException {
      super(InetAddress.getLoopbackAddress(), port);
      setTcpNoDelay(true);
    }

    void holdBack() {
      holding = true;
    }

    void release() throws IOException {
      holding = false;
      super.getOutputStream().write(rest.toByteArray());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      OutputStream all = super.getOutputStream();
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          int now = holding ? length / 2 : length;
          all.write(bytes, offset, now);
          rest.write(bytes, offset + now, length - now);
        }
      };
    }
  }
}
