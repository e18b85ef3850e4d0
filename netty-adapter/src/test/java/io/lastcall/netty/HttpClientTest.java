package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JDK's client, with its pool of connections, through a whole drain. */
@Timeout(60)
final class HttpClientTest {
  private static final int REQUESTS = 1_000;

  @Test
  void drain_underLoad_losesNothing() throws Exception {
    TestServer server = new TestServer();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      if (i == REQUESTS / 4) {
        server.control.leave(Duration.ofMillis(100));
      }
      if (i >= 32) {
        responses.get(i - 32).join();
      }
      responses.add(client.sendAsync(request(server, i), HttpResponse.BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> response : responses) {
      assertEquals(200, response.get(10, SECONDS).statusCode());
    }
    server.server.stopListening(TestServer.soon());
    server.closeIdle();
    server.server.connectionsEnded().toCompletableFuture().get(10, SECONDS);
    assertEquals(REQUESTS, server.control.finished());
    server.close();
  }

  private static HttpRequest request(TestServer server, int number) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port + "/fast"));
    if (number % 3 == 0) {
      request
          .POST(HttpRequest.BodyPublishers.ofString("x".repeat(number)))
          .expectContinue(number % 2 == 0);
    }
    return request.build();
  }
}
