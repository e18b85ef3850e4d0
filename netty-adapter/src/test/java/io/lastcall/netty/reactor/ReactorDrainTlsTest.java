package io.lastcall.netty.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.netty.NettyDrain;
import io.lastcall.testing.TestKeys;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.FileInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.SslProvider;

/** With TLS, in this JVM. */
@Timeout(120)
class ReactorDrainTlsTest {
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final LoopResources loops = LoopResources.create("draining", 1, 1, true);
  private final Sinks.One<String> answer = Sinks.one();
  private final Path keys;
  private KeyManagerFactory certificate;

  ReactorDrainTlsTest(@TempDir Path folder) {
    keys = folder.resolve("keys.p12");
  }

  @BeforeEach
  void makeKeys() throws Exception {
    TestKeys.make(keys);
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(keys.toFile())) {
      store.load(in, TestKeys.SECRET.toCharArray());
    }
    certificate = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    certificate.init(store, TestKeys.SECRET.toCharArray());
  }

  @AfterEach
  void uninstall() {
    shutdown.uninstall();
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void protocolNegotiated_requestIsCountedAndItsConnectionEnds(Version version) throws Exception {
    HttpServer server =
        https(Http2SslContextSpec.forServer(certificate))
            .protocol(HttpProtocol.H2, HttpProtocol.HTTP11);
    assertIsDrained(server, version, version);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void http1Alone_requestIsCountedAndItsConnectionEnds(Version version) throws Exception {
    HttpServer server =
        https(Http11SslContextSpec.forServer(certificate)).protocol(HttpProtocol.HTTP11);
    assertIsDrained(server, version, Version.HTTP_1_1);
  }

  private HttpServer https(SslProvider.GenericSslContextSpec<?> context) {
    return HttpServer.create()
        .host("127.0.0.1")
        .port(0)
        .runOn(loops, false)
        .secure(spec -> spec.sslContext(context))
        .handle((request, response) -> response.sendString(answer.asMono()));
  }

  private void assertIsDrained(HttpServer configured, Version asked, Version spoken)
      throws Exception {
    Deadline limit = Deadline.after(Duration.ofSeconds(30), Ticker.system());
    CompletableFuture<DrainableServer> role = new CompletableFuture<>();
    DisposableServer bound =
        new ReactorDrain(NettyDrain.of(shutdown), role::complete).drained(configured).bindNow();
    DrainableServer server = role.get();
    try {
      HttpClient client =
          HttpClient.newBuilder().version(asked).sslContext(TestKeys.trust(keys)).build();
      URI uri = URI.create("https://127.0.0.1:" + bound.port() + "/");
      CompletableFuture<HttpResponse<String>> response =
          client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      Awaitility.await().until(() -> shutdown.status().inFlight() == 1);
      answer.emitValue("whole", Sinks.EmitFailureHandler.FAIL_FAST);
      assertEquals("whole", response.get().body());
      assertEquals(spoken, response.get().version());
      Awaitility.await().until(() -> shutdown.status().inFlight() == 0);
      server.stopListening(limit);
      server.connections().forEach(HttpConnection::closeIfIdle);
      server.connectionsEnded().toCompletableFuture().get();
    } finally {
      server.stop(limit);
    }
  }
}
