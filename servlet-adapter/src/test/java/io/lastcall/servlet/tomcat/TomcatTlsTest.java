package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.servlet.contract.TlsContract;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.TestKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.junit.jupiter.api.Test;

class TomcatTlsTest extends TlsContract<TomcatFixture> {
  /** Of a socket, fixed: the kernel's own grow to megabytes. */
  private static final int BUFFER = 65_536;

  private static final String MORE_THAN_BUFFERS_HOLD = "x".repeat(32 * BUFFER);

  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture(this::firstRequest);
  }

  @Override
  protected void start(Path keys) throws Exception {
    Connector connector = container.connector;
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
    connector.setProperty("socket.rxBufSize", Integer.toString(BUFFER));
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateKeystoreFile(keys.toString());
    certificate.setCertificateKeystorePassword(TestKeys.SECRET);
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    container.start();
  }

  @Test
  void drain_http2ByAlpn_endsByCloseNotifyAndIsReadOn() throws Exception {
    SSLSocket socket =
        (SSLSocket)
            trusting
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), container.port());
    SSLParameters http2 = socket.getSSLParameters();
    http2.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(http2);
    try (RawHttp2Client client = new RawHttp2Client(socket)) {
      client.get(1, "/plain");
      assertEquals(5, client.response(1));
      CompletableFuture<?> ended = container.drain();
      client.next(RawHttp2Client.GOAWAY);
      client.ack(client.next(RawHttp2Client.PING));
      client.next(RawHttp2Client.GOAWAY);
      assertTrue(client.ended());
      ended.get();
      client.acknowledgeAnother();
      assertEquals(1, container.server.connections().size(), "open until the peer ends it");
    }
    container.awaitConnections(0);
  }

  @Test
  void leave_clientGivesUpItsHandshake_isNoErrorOfTheServer() throws Exception {
    Logger tomcats = Logger.getLogger(NioEndpoint.class.getName());
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    tomcats.addHandler(new Recorder(logged));
    container.leave();
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), container.port())) {
      client.getOutputStream().write(hello());
      client.shutdownOutput();
      // The server's part of the handshake, and its end.
      client.getInputStream().readAllBytes();
      container.awaitConnections(0);
    }
    assertEquals(List.of(), logged);
  }

  @Test
  void drain_idleConnectionAndMoreComes_isReadOn() throws Exception {
    Socket plain = new Socket(InetAddress.getLoopbackAddress(), container.port());
    plain.setSendBufferSize(BUFFER);
    try (RawClient client = connect(plain)) {
      assertEquals("plain", client.exchange("/plain").body());
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended());
      client.send(MORE_THAN_BUFFERS_HOLD);
    }
    container.awaitConnections(0);
  }

  private static byte[] hello() throws SSLException {
    SSLEngine engine = trusting.createSSLEngine();
    engine.setUseClientMode(true);
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), record);
    return Arrays.copyOf(record.array(), record.position());
  }

  private static final class Recorder extends Handler {
    private final List<LogRecord> logged;

    Recorder(List<LogRecord> logged) {
      this.logged = logged;
      setLevel(Level.SEVERE);
    }

    @Override
    public void publish(LogRecord entry) {
      if (isLoggable(entry)) {
        logged.add(entry);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
