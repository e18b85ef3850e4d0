package io.lastcall.subjects.vertx;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.RawClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("all")
@Timeout(120)
class RoutesTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(60, SECONDS);
  }

  @Test
  void stream_clientHasLeft_ends() throws Exception {
    HttpServer server =
        vertx.createHttpServer().requestHandler(new Routes(vertx)).listen(0).await(60, SECONDS);
    try (RawClient client = new RawClient(server.actualPort())) {
      client.get("/stream?ms=3600000").readHead();
      assertEquals(100, client.readChunk().length());
    }
    // Timers are numbered: nobody else sets one in a time that more than one piece would be due in.
    await().atMost(Duration.ofSeconds(60)).until(() -> timer() + 1 == timer());
  }

  private long timer() throws Exception {
    CompletableFuture<Long> fired = new CompletableFuture<>();
    vertx.setTimer(250, fired::complete);
    return fired.get(60, SECONDS);
  }
}
