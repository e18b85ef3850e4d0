package io.lastcall.examples.vertx;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.vertx.VertxDrain;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Vert.x has two implementations of HTTP/2; only one of them has frames in its pipeline. */
@Timeout(120)
class Http2ImplementationsTest {
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final Vertx vertx = Vertx.builder().withTransport(VertxDrain.of(shutdown)).build();

  /** Kept: Vert.x closes a client that nobody refers to any more. */
  private final HttpClientAgent client =
      vertx.createHttpClient(
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setHttp2ClearTextUpgrade(false));

  @AfterEach
  void close() throws Exception {
    // It fails where the client's GOAWAY comes behind the end of the connection.
    vertx.close().otherwiseEmpty().await(60, SECONDS);
    shutdown.uninstall();
  }

  @Test
  void request_multiplexImplementation_isCounted() throws Exception {
    assertEquals(1, inFlightWhileServing(true));
  }

  /** The obstacle: see docs/decisions/0019. */
  @Test
  void request_defaultImplementation_isNotSeen() throws Exception {
    assertEquals(0, inFlightWhileServing(false));
  }

  private long inFlightWhileServing(boolean multiplex) throws Exception {
    CompletableFuture<Long> inFlight = new CompletableFuture<>();
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions().setHttp2MultiplexImplementation(multiplex))
            .requestHandler(
                request -> {
                  inFlight.complete(shutdown.gate().inFlight());
                  request.response().end();
                })
            .listen(0)
            .await(60, SECONDS);
    HttpClientRequest request =
        client.request(HttpMethod.GET, server.actualPort(), "127.0.0.1", "/").await(60, SECONDS);
    HttpClientResponse response = request.send().await(60, SECONDS);
    assertEquals(200, response.statusCode());
    return inFlight.get(60, SECONDS);
  }
}
