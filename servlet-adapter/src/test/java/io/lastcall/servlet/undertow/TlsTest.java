package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.undertow.UndertowOptions;
import java.io.FileInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.xnio.OptionMap;

/** The same drain with TLS, and HTTP/2 by ALPN. */
@Timeout(60)
class TlsTest {
  private static final String SECRET = "changeit";

  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private UndertowFixture undertow;
  private SSLContext context;

  @BeforeEach
  void create(@TempDir Path folder) throws Exception {
    context = context(folder.resolve("keys.p12"));
    undertow = new UndertowFixture(OptionMap.create(UndertowOptions.ENABLE_HTTP2, true), 8);
    undertow.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    undertow.serve(
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
    undertow.start(context);
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    undertow.close();
  }

  /** Both ends': it trusts the certificate it shows. */
  private static SSLContext context(Path file) throws Exception {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    String arguments =
        " -genkeypair -keyalg EC -alias test -dname CN=localhost -ext san=dns:localhost"
            + " -storetype PKCS12 -storepass "
            + SECRET
            + " -keystore ";
    Process made =
        new ProcessBuilder((keytool + arguments + file).split(" ", -1)).inheritIO().start();
    assertTrue(made.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, made.exitValue());
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(file.toFile())) {
      store.load(in, SECRET.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, SECRET.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private SSLSocket connect() throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), undertow.port());
    socket.setSoTimeout((int) UndertowFixture.LIMIT.toMillis());
    return socket;
  }

  private static void get(Socket socket, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static String readToBody(Socket socket) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf("\r\n\r\nplain") < 0) {
      int b = socket.getInputStream().read();
      assertTrue(b >= 0, "ended early");
      read.append((char) b);
    }
    return read.toString();
  }

  @Test
  void drain_idleConnection_endsByCloseNotify() throws Exception {
    try (SSLSocket client = connect()) {
      get(client, "/plain");
      readToBody(client);
      undertow.drain().get();
      // Without a close_notify the JDK's client would throw.
      assertEquals(-1, client.getInputStream().read());
    }
    undertow.awaitConnections(0);
  }

  @Test
  void drain_requestRunning_isAnsweredFirst() throws Exception {
    try (SSLSocket client = connect()) {
      get(client, "/hold");
      entered.await();
      CompletableFuture<?> ended = undertow.drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertTrue(readToBody(client).contains("Connection: close"));
      assertEquals(-1, client.getInputStream().read());
      ended.get();
    }
  }

  @Test
  void drain_handshakeDoneAndNoRequest_isNotWaitedFor() throws Exception {
    try (SSLSocket client = connect()) {
      client.startHandshake();
      // The server may be a message behind.
      await().until(() -> undertow.drain().isDone());
      assertEquals(-1, client.getInputStream().read());
    }
  }

  @Test
  void drain_requestInTheKernelsBuffer_isAnswered() throws Exception {
    try (SSLSocket client = connect()) {
      get(client, "/plain");
      readToBody(client);
      CompletableFuture<?> ended = undertow.drainBehind(() -> get(client, "/plain"));
      assertTrue(readToBody(client).contains("Connection: close"));
      ended.get();
    }
  }

  @Test
  void drain_recordHalfSent_isAnsweredFirst() throws Exception {
    HeldBack held = new HeldBack(undertow.port());
    try (SSLSocket client =
        (SSLSocket)
            context.getSocketFactory().createSocket(held, "localhost", undertow.port(), true)) {
      client.setSoTimeout((int) UndertowFixture.LIMIT.toMillis());
      get(client, "/plain");
      readToBody(client);
      held.holdBack();
      get(client, "/plain");
      CompletableFuture<?> ended = undertow.drain();
      undertow.tellOnceMore();
      assertFalse(ended.isDone());
      held.letGo();
      assertTrue(readToBody(client).contains("Connection: close"));
      ended.get();
    }
  }

  /** A network that delivers the last byte of what is written later. */
  private static final class HeldBack extends Socket {
    private boolean holding;
    private byte last;

    HeldBack(int port) throws IOException {
      super(InetAddress.getLoopbackAddress(), port);
    }

    synchronized void holdBack() {
      holding = true;
    }

    synchronized void letGo() throws IOException {
      holding = false;
      super.getOutputStream().write(last);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          synchronized (HeldBack.this) {
            last = bytes[offset + length - 1];
            out.write(bytes, offset, holding ? length - 1 : length);
          }
        }
      };
    }
  }

  @Test
  void drain_connectedWithoutHello_isNotWaitedFor() throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), undertow.port())) {
      undertow.awaitConnections(1);
      await().until(() -> undertow.drain().isDone());
      assertEquals(-1, client.getInputStream().read());
    }
  }

  @Test
  void drain_http2StreamRunning_isAnswered() throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(context).build();
    URI uri = URI.create("https://localhost:" + undertow.port() + "/hold");
    CompletableFuture<HttpResponse<String>> call =
        client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    entered.await();
    goOn.countDown();
    assertEquals(Version.HTTP_2, call.get().version());
    assertEquals("plain", call.get().body());
    undertow.drain().get();
    undertow.awaitConnections(0);
  }
}
