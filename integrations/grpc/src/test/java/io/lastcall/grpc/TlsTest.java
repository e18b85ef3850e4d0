package io.lastcall.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.HttpConnection;
import io.lastcall.testing.RawHttp2;
import io.lastcall.testing.TestKeys;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TlsTest {
  private static Path keys = Path.of("");

  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final TestServer server;
  private Socket socket = new Socket();

  TlsTest() throws Exception {
    KeyStore store = KeyStore.getInstance(keys.toFile(), TestKeys.SECRET.toCharArray());
    KeyManagerFactory identity =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    identity.init(store, TestKeys.SECRET.toCharArray());
    server =
        new TestServer(
            shutdown,
            NettyServerBuilder.forPort(0)
                .sslContext(
                    GrpcSslContexts.configure(
                            SslContextBuilder.forServer(identity), SslProvider.JDK)
                        .build()));
  }

  @BeforeAll
  static void makeKeys(@TempDir Path folder) throws Exception {
    keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
  }

  @BeforeEach
  void connect() throws IOException {
    socket = server.connect();
  }

  @AfterEach
  void stop() throws Exception {
    socket.close();
    server.close();
    shutdown.uninstall();
  }

  @Test
  void announce_handshakeHasNotBegun_isLeftBehindIt() throws Exception {
    server.role().connections().forEach(HttpConnection::announceClose);
    RawHttp2 client = new RawHttp2(handshake());
    assertEquals("GOAWAY " + Integer.MAX_VALUE, client.await(RawHttp2.GOAWAY).toString());
  }

  @Test
  void connectionsEnded_idleConnection_endsWithCloseNotify() throws Exception {
    RawHttp2 client = new RawHttp2(handshake());
    CompletableFuture<?> ended = server.role().connectionsEnded().toCompletableFuture();
    client.await(RawHttp2.PING);
    client.ack();
    assertEquals("GOAWAY 0", client.next());
    assertTrue(client.ended()); // without a close_notify SSLSocket throws
    Awaitility.await().until(ended::isDone);
  }

  private SSLSocket handshake() throws Exception {
    SSLSocket tls =
        (SSLSocket)
            TestKeys.trust(keys)
                .getSocketFactory()
                .createSocket(socket, "127.0.0.1", socket.getPort(), true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    return tls;
  }
}
