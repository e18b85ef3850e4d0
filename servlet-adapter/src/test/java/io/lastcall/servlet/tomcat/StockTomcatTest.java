package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A web application in a Tomcat that its own script has started. */
@Timeout(120)
class StockTomcatTest {
  private final StockTomcat tomcat;

  StockTomcatTest(@TempDir Path base) throws Exception {
    tomcat = new StockTomcat(base);
  }

  @AfterEach
  void kill() {
    tomcat.close();
  }

  private URI uri(String scheme, String path) {
    return URI.create(scheme + "://127.0.0.1:" + tomcat.port() + path);
  }

  private int status(String path) throws IOException, InterruptedException {
    // Over HTTP/2 the JDK's client drops a request when a GOAWAY comes, before JDK 24.
    HttpRequest request =
        HttpRequest.newBuilder(uri("http", path)).version(HttpClient.Version.HTTP_1_1).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  private void assertEndsClean(String... printed) throws InterruptedException {
    List<String> lines = tomcat.awaitEnd();
    String all = String.join("\n", lines);
    assertEquals(0, tomcat.exitCode(), all);
    assertTrue(all.contains("outcome=CLEAN"), all);
    assertTrue(lines.containsAll(List.of(printed)), all);
  }

  @Test
  void started_probesAnswer() throws Exception {
    for (String path : List.of("/startupz", "/readyz", "/livez")) {
      assertEquals(200, status(path), path);
    }
  }

  @Test
  void sigterm_requestInFlight_isAnsweredAndTheApplicationStoppedBehindIt() throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), tomcat.port())) {
      client
          .getOutputStream()
          .write(
              "POST /order HTTP/1.1\r\nHost: orders\r\nContent-Length: 1\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      InputStream response = client.getInputStream();
      StringBuilder read = new StringBuilder();
      while (read.indexOf("taken,") < 0) {
        read.append((char) response.read());
      }
      tomcat.sigterm();
      await().until(() -> status("/readyz") == 503);
      client.getOutputStream().write('x');
      read.append(new String(response.readAllBytes(), StandardCharsets.US_ASCII));
      assertTrue(read.indexOf("made with x\r\n0\r\n\r\n") > 0, read.toString());
    }
    assertEndsClean("orders: pool closed", "orders: destroyed");
  }

  @Test
  void sigterm_openWebSocket_isToldToGo() throws Exception {
    Closing closing = new Closing();
    HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .buildAsync(uri("ws", "/orders"), closing)
        .get(60, TimeUnit.SECONDS);
    tomcat.sigterm();
    assertEquals(1001, closing.status.get(60, TimeUnit.SECONDS));
    assertEndsClean();
  }

  private static final class Closing implements WebSocket.Listener {
    final CompletableFuture<Integer> status = new CompletableFuture<>();

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      status.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable failure) {
      status.completeExceptionally(failure);
    }
  }
}
