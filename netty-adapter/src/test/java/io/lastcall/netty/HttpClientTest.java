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
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The JDK's client, with its pool of connections, through a whole drain. */
@Timeout(120)
final class HttpClientTest {
  private static final int REQUESTS = 400;
  private static final int CONCURRENT = 32;

  @Test
  void drain_http1UnderLoad_losesNothing() throws Exception {
    drain(new TestServer(), "http", HttpClient.Version.HTTP_1_1, HttpClient.Version.HTTP_1_1);
  }

  /** The client's default: an upgrade to h2c, which is ignored. */
  @Test
  void drain_upgradeOfferedUnderLoad_losesNothing() throws Exception {
    drain(new TestServer(), "http", HttpClient.Version.HTTP_2, HttpClient.Version.HTTP_1_1);
  }

  /** Before 24, the client fails what is in flight when any GOAWAY comes (JDK-8335181). */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_24)
  void drain_http2UnderLoad_losesNothing() throws Exception {
    drain(
        new TestServer(Transport.NIO, Loopback.server()),
        "https",
        HttpClient.Version.HTTP_2,
        HttpClient.Version.HTTP_2);
  }

  private static void drain(
      TestServer server, String scheme, HttpClient.Version asked, HttpClient.Version expected)
      throws Exception {
    HttpClient client =
        HttpClient.newBuilder().version(asked).sslContext(Loopback.client()).build();
    URI uri = URI.create(scheme + "://127.0.0.1:" + server.port + "/fast");
    List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      if (i == REQUESTS / 4) {
        server.control.leave(Duration.ofMillis(100));
        server.server.connections().forEach(connection -> connection.announceClose());
      }
      if (i >= CONCURRENT) {
        responses.get(i - CONCURRENT).join();
      }
      responses.add(client.sendAsync(request(uri, i), HttpResponse.BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> response : responses) {
      assertEquals(200, response.get(60, SECONDS).statusCode());
      assertEquals(expected, response.get().version());
    }
    server.server.stopListening(TestServer.soon());
    server.closeIdle();
    server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
    assertEquals(REQUESTS, server.control.finished());
    server.close();
  }

  /** No GET: the client would send one again that was lost. */
  private static HttpRequest request(URI uri, int number) {
    return HttpRequest.newBuilder(uri)
        .POST(HttpRequest.BodyPublishers.ofString("x".repeat(number)))
        .build();
  }
}
