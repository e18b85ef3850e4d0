package io.lastcall.examples.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The handler of {@code /later} returns at once: the thread that serves {@code /now} answers. That
 * of {@code /events} streams until its client is gone.
 */
final class AnswersLater {
  private static final byte[] EVENT = "data: tick\n\n".getBytes(StandardCharsets.US_ASCII);

  private AnswersLater() {}

  /**
   * @param args the status of the answers: 204 has no body, 200 has one
   */
  public static void main(String[] args) throws IOException {
    int status = Integer.parseInt(args[0]);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    shutdown.step(Phase.DRAIN, "say so", step -> print("draining"));
    CompletableFuture<Void> now = new CompletableFuture<>();
    Quickstart.serve(
        shutdown,
        server,
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/events")) {
            stream(exchange);
            return;
          }
          var unused = now.thenRun(() -> answer(exchange, status));
          if (exchange.getRequestURI().getPath().equals("/now")) {
            now.complete(null);
          }
          print("returned");
        });
    print(Integer.toString(server.getAddress().getPort()));
  }

  private static void stream(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      CountDownLatch never = new CountDownLatch(1);
      do {
        exchange.getResponseBody().write(EVENT);
        exchange.getResponseBody().flush();
      } while (!never.await(50, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, int status) {
    try {
      exchange.sendResponseHeaders(status, status == 200 ? 1 : -1);
      if (status == 200) {
        exchange.getResponseBody().write('!');
        exchange.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void print(String what) {
    System.out.println("says " + what + " " + System.nanoTime());
  }
}
