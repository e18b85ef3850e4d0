package io.lastcall.netty.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.netty.NettyDrain;
import io.lastcall.spi.FirstRequest;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.channel.EventLoopGroup;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerConfig;
import reactor.netty.resources.LoopResources;

/** In this JVM, without a signal. */
@Timeout(120)
class ReactorDrainTest {
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final LoopResources loops = LoopResources.create("draining", 1, 1, true);
  private final EventLoopGroup workers = loops.onServer(false);
  private final CompletableFuture<DrainableServer> role = new CompletableFuture<>();
  private final DisposableServer http =
      new ReactorDrain(NettyDrain.of(shutdown), role::complete)
          .drained(
              HttpServer.create()
                  .port(0)
                  .runOn(loops, false)
                  .protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
                  .handle((request, response) -> response.sendString(Mono.just("whole"))))
          .bindNow();
  private final DrainableServer server = role.join();

  @AfterEach
  void stop() throws Exception {
    server.stop(soon());
    shutdown.uninstall();
  }

  @Test
  void closeIfIdle_partOfTheFirstHeadRead_waitsForTheRest() throws Exception {
    try (RawClient client = new RawClient(http.port())) {
      Awaitility.await().until(() -> !server.connections().isEmpty());
      Deadline patience = Deadline.after(FirstRequest.PATIENCE, Ticker.system());
      Awaitility.await().until(patience::hasPassed);
      client.send("GET / HTTP/1.1\r\nHo");
      server.connections().forEach(HttpConnection::closeIfIdle);
      awaitChecked();
      client.send("st: a\r\n\r\n");

      assertEquals(200, client.read().status());
    }
  }

  /** The look whether it is idle is scheduled by the event loop; this comes behind it. */
  private void awaitChecked() throws InterruptedException {
    workers
        .submit(() -> workers.schedule(() -> {}, 0, TimeUnit.NANOSECONDS))
        .sync()
        .getNow()
        .sync();
  }

  /** Each connection failed by a NullPointerException. */
  @Test
  void http3_isRefusedWhereItIsBound() throws Exception {
    HttpServer quic =
        new ReactorDrain(NettyDrain.of(shutdown), role -> {}).drained(HttpServer.create().port(0));
    // protocol(HTTP3) itself wants QUIC's native library, which we have not.
    Field protocols = HttpServerConfig.class.getDeclaredField("protocols");
    protocols.setAccessible(true);
    protocols.set(quic.configuration(), new HttpProtocol[] {HttpProtocol.HTTP3});

    assertEquals(
        "ReactorDrain.drained(...) of an HttpServer with protocol(HTTP3): a QUIC connection cannot"
            + " be drained; allowed: HTTP11, H2C, H2",
        assertThrows(IllegalStateException.class, () -> quic.bindNow()).getMessage());
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(30), Ticker.system());
  }

  @Test
  void bound_isNamedByItsPort() {
    assertEquals("reactor-netty:" + http.port(), server.name());
  }

  @Test
  void closeIfIdle_nothingEverRead_isClosed() throws Exception {
    try (RawClient client = new RawClient(http.port())) {
      Awaitility.await().until(() -> !server.connections().isEmpty());
      // Again, as DRAIN does: a channel that has no event loop yet does not hear the first call.
      Awaitility.await()
          .until(
              () -> {
                server.connections().forEach(HttpConnection::closeIfIdle);
                return server.connections().isEmpty();
              });

      assertTrue(client.ended());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2c", "h2c, other", "Other,H2C"})
  void upgradeToH2c_amongOthersToo_isIgnored(String upgrade) throws Exception {
    try (RawClient client = new RawClient(http.port())) {
      client.send(
          "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: "
              + upgrade
              + "\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n");

      assertEquals(200, client.read().status());
    }
  }
}
