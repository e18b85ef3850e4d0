package io.lastcall.subjects.helidon;

import io.lastcall.examples.helidon.Quickstart;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.HttpRouting;
import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.connection.ConnectionControl;

/**
 * The quick start with the drill's paths. Environment: {@code PORT}; {@code PROBE_PORT}, where set,
 * serves the probes on a port of their own too; {@code NAIVE=true} runs the same server without the
 * library; {@code LASTCALL_*}, the library's settings.
 */
public final class HelidonSubject {
  private HelidonSubject() {}

  /** Starts the server and returns; its threads keep the process up, a failed start ends it. */
  public static void main(String[] args) {
    try {
      WebServer server = Boolean.parseBoolean(System.getenv("NAIVE")) ? serveNaively() : serve();
      System.out.println("ready on port " + server.port());
    } catch (Throwable t) {
      t.printStackTrace();
      System.exit(1);
    }
  }

  private static WebServer serve() {
    GracefulShutdownBuilder builder = GracefulShutdown.builder().awaitStarted();
    String probePort = System.getenv("PROBE_PORT");
    if (probePort != null) {
      builder.configuration("probe-port", probePort, "environment PROBE_PORT");
    }
    GracefulShutdown shutdown = builder.install();
    Filter counting = Quickstart.counting(shutdown);
    HttpRouting.Builder routing =
        HttpRouting.builder()
            // Long-lived: registered, and not counted.
            .addFilter(
                (chain, request, response) -> {
                  if (request.path().path().equals("/sse")) {
                    chain.proceed();
                  } else {
                    counting.filter(chain, request, response);
                  }
                });
    return Quickstart.serve(shutdown, server(), Routes.add(routing, shutdown.connections()));
  }

  private static WebServer serveNaively() {
    HttpRouting.Builder routing =
        Routes.add(HttpRouting.builder(), new ConnectionControl().connections());
    return server().routing(routing).build().start();
  }

  private static WebServerConfig.Builder server() {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    return WebServer.builder().port(port);
  }
}
