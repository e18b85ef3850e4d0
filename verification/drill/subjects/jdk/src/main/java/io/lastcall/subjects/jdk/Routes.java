package io.lastcall.subjects.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The application: it knows nothing of shutdowns. */
final class Routes implements HttpHandler {
  private static final Pattern MILLIS = Pattern.compile("(?:^|&)ms=([^&]*)");
  private static final int PIECE_MILLIS = 100;

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try {
      route(exchange);
    } catch (NumberFormatException e) {
      answer(exchange, 400, "bad request\n");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  private static void route(HttpExchange exchange) throws IOException, InterruptedException {
    switch (exchange.getRequestURI().getPath()) {
      case "/fast" -> answer(exchange, 200, "fast\n");
      case "/work" -> {
        TimeUnit.MILLISECONDS.sleep(millis(exchange));
        answer(exchange, 200, "w".repeat(1_000));
      }
      case "/stream" -> stream(exchange, millis(exchange) / PIECE_MILLIS);
      case "/upload" -> {
        long length = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        answer(exchange, 200, Long.toString(length));
      }
      // Reached only without the library, which answers them itself.
      case "/livez", "/readyz", "/startupz" -> answer(exchange, 200, "ok\n");
      default -> answer(exchange, 404, "not found\n");
    }
  }

  private static void stream(HttpExchange exchange, long pieces)
      throws IOException, InterruptedException {
    boolean events = exchange.getRequestMethod().equals("POST");
    if (events) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    }
    String text = events ? "data:" + "s".repeat(93) + "\n\n" : "s".repeat(100);
    exchange.sendResponseHeaders(200, 0);
    for (long piece = 0; piece < pieces; piece++) {
      TimeUnit.MILLISECONDS.sleep(PIECE_MILLIS);
      exchange.getResponseBody().write(text.getBytes(StandardCharsets.US_ASCII));
      exchange.getResponseBody().flush();
    }
  }

  private static long millis(HttpExchange exchange) {
    String query = exchange.getRequestURI().getQuery();
    Matcher matcher = MILLIS.matcher(query == null ? "" : query);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
