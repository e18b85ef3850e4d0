package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.servlet.TestKeys;
import io.lastcall.servlet.TomcatFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same drain with TLS, and with HTTP/2 by ALPN. */
@Timeout(60)
class TlsTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private TomcatFixture tomcat;
  private SSLContext trusting;

  @BeforeEach
  void create(@TempDir Path folder) throws Exception {
    Path keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
    Connector connector = new Connector(new LastcallProtocol());
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateKeystoreFile(keys.toString());
    certificate.setCertificateKeystorePassword(TestKeys.SECRET);
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    tomcat = new TomcatFixture(connector);
    tomcat.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    tomcat.serve(
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
    tomcat.start();
    trusting = TestKeys.trust(keys);
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    tomcat.close();
  }

  private SSLSocket connect() throws IOException {
    SSLSocket socket =
        (SSLSocket)
            trusting
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), tomcat.port());
    socket.setSoTimeout((int) TomcatFixture.LIMIT.toMillis());
    return socket;
  }

  private static void get(Socket socket, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static String readToBody(Socket socket) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf("plain") < 0) {
      int b = socket.getInputStream().read();
      assertTrue(b >= 0, "ended early");
      read.append((char) b);
    }
    return read.toString();
  }

  private CompletableFuture<?> drain() throws Exception {
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    return tomcat.server.connectionsEnded().toCompletableFuture();
  }

  @Test
  void drain_idleConnection_endsByCloseNotify() throws Exception {
    try (SSLSocket client = connect()) {
      get(client, "/plain");
      readToBody(client);
      drain().get();
      // Without a close_notify the JDK's client would throw.
      assertEquals(-1, client.getInputStream().read());
      assertEquals(1, tomcat.server.connections().size(), "open until the peer ends it");
    }
    await().until(() -> tomcat.server.connections().isEmpty());
  }

  @Test
  void drain_http2ByAlpn_endsByCloseNotifyAndIsReadOn() throws Exception {
    SSLSocket socket = connect();
    SSLParameters http2 = socket.getSSLParameters();
    http2.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(http2);
    try (RawHttp2Client client = new RawHttp2Client(socket)) {
      client.get(1, "/plain");
      assertEquals(5, client.response(1));
      CompletableFuture<?> ended = drain();
      client.next(RawHttp2Client.GOAWAY);
      client.acknowledge(client.next(RawHttp2Client.PING));
      client.next(RawHttp2Client.GOAWAY);
      assertTrue(client.ended());
      ended.get();
      client.acknowledgeAnother();
      assertEquals(1, tomcat.server.connections().size(), "open until the peer ends it");
    }
    await().until(() -> tomcat.server.connections().isEmpty());
  }

  @Test
  void drain_requestRunning_isAnsweredFirst() throws Exception {
    try (SSLSocket client = connect()) {
      get(client, "/hold");
      entered.await();
      CompletableFuture<?> ended = drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertTrue(readToBody(client).contains("Connection: close"));
      ended.get();
    }
  }

  @Test
  void drain_connectedWithoutHello_isNotWaitedFor() throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), tomcat.port())) {
      await().until(() -> tomcat.server.connections().size() == 1);
      await().until(() -> drain().isDone());
      assertEquals(-1, client.getInputStream().read());
    }
  }
}
