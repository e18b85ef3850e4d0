package io.lastcall.examples.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.HttpConnection;
import io.lastcall.testing.RawHttp2;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TlsTest {
  private static final char[] PASSWORD = "loopback".toCharArray();

  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final GrpcDrain drain = new GrpcDrain("grpc", shutdown);
  private Socket socket = new Socket();

  @BeforeEach
  void connect() throws Exception {
    KeyManagerFactory identity =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    identity.init(keys(), PASSWORD);
    NettyServerBuilder builder =
        NettyServerBuilder.forPort(0)
            .sslContext(
                GrpcSslContexts.configure(SslContextBuilder.forServer(identity), SslProvider.JDK)
                    .build());
    socket = new Socket(InetAddress.getLoopbackAddress(), drain.start(builder).getPort());
    Awaitility.await().until(() -> drain.connections().size() == 1);
  }

  @AfterEach
  void stop() throws Exception {
    socket.close();
    drain.stop(Deadline.after(Duration.ofSeconds(30), Ticker.system()));
    shutdown.uninstall();
  }

  @Test
  void announce_handshakeHasNotBegun_isLeftBehindIt() throws Exception {
    drain.connections().forEach(HttpConnection::announceClose);
    RawHttp2 client = new RawHttp2(handshake());
    assertEquals("GOAWAY " + Integer.MAX_VALUE, client.await(RawHttp2.GOAWAY).toString());
  }

  @Test
  void connectionsEnded_idleConnection_endsWithCloseNotify() throws Exception {
    RawHttp2 client = new RawHttp2(handshake());
    CompletableFuture<?> ended = drain.connectionsEnded().toCompletableFuture();
    client.await(RawHttp2.PING);
    client.ack();
    assertEquals("GOAWAY 0", client.next());
    assertTrue(client.ended()); // without a close_notify SSLSocket throws
    Awaitility.await().until(ended::isDone);
  }

  private SSLSocket handshake() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("test", keys().getCertificate("test"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    SSLSocket tls =
        (SSLSocket)
            context.getSocketFactory().createSocket(socket, "127.0.0.1", socket.getPort(), true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    return tls;
  }

  private static KeyStore keys() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = TlsTest.class.getResourceAsStream("/loopback.p12")) {
      keys.load(Objects.requireNonNull(file), PASSWORD);
    } catch (IOException e) {
      throw new IllegalStateException("loopback.p12 cannot be read", e);
    }
    return keys;
  }
}
