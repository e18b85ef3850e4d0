package io.lastcall.examples.jdk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What a service on the JDK's own server needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application that answers 204 on port 8080. */
  public static void main(String[] args) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(8080), 1024);
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    serve(shutdown, server, exchange -> exchange.sendResponseHeaders(204, -1));
  }

  public static void serve(GracefulShutdown shutdown, HttpServer server, HttpHandler application) {
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.createContext("/", exchange -> handle(shutdown, exchange, application));
    shutdown.server(
        DrainableServer.of("jdk", deadline -> server.stop(0), deadline -> threads.shutdown()));
    server.start();
    shutdown.started();
  }

  /** Answers probes, counts the other requests while the application answers them, marks them. */
  private static void handle(GracefulShutdown shutdown, HttpExchange exchange, HttpHandler next)
      throws IOException {
    String target = exchange.getRequestURI().toString();
    Permit permit = new Permit() {};
    try (exchange) {
      if (shutdown.probes().isProbe(target)) {
        probe(shutdown, exchange, target);
      } else if (shutdown.gate().enter(permit)) {
        if (shutdown.gate().shouldCloseConnection()) {
          exchange.getResponseHeaders().set("Connection", "close");
        }
        next.handle(exchange);
      } else {
        RequestGate.refusalHeaders(false).forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(RequestGate.REFUSED_STATUS, -1);
      }
    } finally {
      permit.release();
    }
  }

  private static void probe(GracefulShutdown shutdown, HttpExchange exchange, String target)
      throws IOException {
    String method = exchange.getRequestMethod();
    ProbeRequest request = ProbeRequest.of(method, target, exchange.getRequestHeaders()::getFirst);
    ProbeAnswer answer = shutdown.probes().answer(request).toCompletableFuture().join();
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
