package io.lastcall.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's server, whose handler returns at once: another thread answers. */
final class JdkLaterApplication {
  private JdkLaterApplication() {}

  public static void main(String[] args) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    ExecutorService later = Executors.newCachedThreadPool();
    server.createContext("/", exchange -> later.execute(() -> answer(exchange)));
    server.start();
    System.out.println("ready on port " + server.getAddress().getPort());
  }

  private static void answer(HttpExchange exchange) {
    byte[] answer =
        Rendezvous.answer(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
    try {
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
