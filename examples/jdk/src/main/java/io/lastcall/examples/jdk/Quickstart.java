package io.lastcall.examples.jdk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What a service on the JDK's own server needs to leave without losing a request. {@link
 * JdkCounting} and the two exchanges that it hands on are to be copied too.
 */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application that answers 204 on port 8080. */
  public static void main(String[] args) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(8080), 1024);
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    serve(shutdown, server, exchange -> exchange.sendResponseHeaders(204, -1));
  }

  /**
   * Starts the server.
   *
   * @param application may answer on another thread, after its handler has returned; must close
   *     each exchange that has a body, as the JDK's server asks for
   */
  public static void serve(GracefulShutdown shutdown, HttpServer server, HttpHandler application) {
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server
        .createContext("/", application)
        .getFilters()
        .addAll(
            List.of(
                new Probing(shutdown.probes()),
                new JdkCounting(shutdown.gate(), shutdown.connections())));
    shutdown.server(
        DrainableServer.of("jdk", deadline -> server.stop(0), deadline -> threads.shutdown()));
    server.start();
    shutdown.started();
  }

  /** Answers probes; everything else is for the next filter. */
  private static final class Probing extends Filter {
    private final Probes probes;

    Probing(Probes probes) {
      this.probes = probes;
    }

    @Override
    public String description() {
      return "probes";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
      String target = exchange.getRequestURI().toString();
      if (!probes.isProbe(target)) {
        chain.doFilter(exchange);
        return;
      }
      try (exchange) {
        answer(exchange, target);
      }
    }

    private void answer(HttpExchange exchange, String target) throws IOException {
      String method = exchange.getRequestMethod();
      ProbeRequest request =
          ProbeRequest.of(method, target, exchange.getRequestHeaders()::getFirst);
      ProbeAnswer answer = probes.answer(request).toCompletableFuture().join();
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] body = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
