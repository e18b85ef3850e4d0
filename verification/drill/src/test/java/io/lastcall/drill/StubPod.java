package io.lastcall.drill;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/**
 * A server with the endpoints of the examples and no idea of graceful shutdown: a main program of
 * the drill's own test.
 */
final class StubPod {
  private StubPod() {}

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/fast", exchange -> answer(exchange, "ok"));
    server.createContext("/work", exchange -> answer(exchange, "w".repeat(1000)));
    server.createContext("/stream", exchange -> answer(exchange, piece(exchange)));
    server.createContext(
        "/upload",
        exchange ->
            answer(exchange, Integer.toString(exchange.getRequestBody().readAllBytes().length)));
    server.start();
    System.out.println("ready on port " + port);
  }

  /** Returns an event in answer to POST. */
  private static String piece(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("POST")
        ? "data:" + "s".repeat(93) + "\n\n"
        : "s".repeat(100);
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** The same, but it never ends by itself. */
  static final class Stuck {
    private Stuck() {}

    public static void main(String[] arguments) throws IOException {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    System.out.println("INFO DRAIN waits for ever");
                    try {
                      new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }));
      StubPod.main(arguments);
    }
  }

  /** Ends before it is ready. */
  static final class Dying {
    private Dying() {}

    public static void main(String[] arguments) {
      System.out.println("no database");
    }
  }
}
