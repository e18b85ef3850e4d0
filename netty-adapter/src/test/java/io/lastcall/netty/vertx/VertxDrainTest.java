package io.lastcall.netty.vertx;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.testing.RawClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In this JVM, without a signal. */
@Timeout(120)
class VertxDrainTest {
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final Vertx vertx = Vertx.builder().withTransport(VertxDrain.of(shutdown)).build();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(60, SECONDS);
    shutdown.uninstall();
  }

  /** As load balancers send it, longer than what HTTP/2 is told by. */
  @Test
  void request_behindAProxyProtocolHeader_isCounted() throws Exception {
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions().setUseProxyProtocol(true))
            .requestHandler(
                request ->
                    request
                        .response()
                        .end(request.remoteAddress().host() + " " + shutdown.gate().inFlight()))
            .listen(0)
            .await(60, SECONDS);
    try (RawClient client = new RawClient(server.actualPort())) {
      client.send("PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n");

      assertEquals("192.0.2.1 1", client.exchange("/").body());
    }
  }
}
