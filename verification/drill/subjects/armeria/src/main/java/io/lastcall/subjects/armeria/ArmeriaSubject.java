package io.lastcall.subjects.armeria;

import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.examples.armeria.Quickstart;

/**
 * The quick start with the drill's paths. Environment: {@code PORT}; {@code PROBE_PORT}, where set,
 * serves the probes on a port of their own too; {@code NAIVE=true} runs the same server without the
 * library; {@code LASTCALL_*}, the library's settings.
 */
public final class ArmeriaSubject {
  private ArmeriaSubject() {}

  /** Starts the server and returns; its threads keep the process up, a failed start ends it. */
  public static void main(String[] args) {
    try {
      Server server = Boolean.parseBoolean(System.getenv("NAIVE")) ? serveNaively() : serve();
      System.out.println("ready on port " + server.activeLocalPort());
    } catch (Throwable t) {
      t.printStackTrace();
      System.exit(1);
    }
  }

  private static Server serve() {
    GracefulShutdownBuilder builder = GracefulShutdown.builder().awaitStarted();
    String probePort = System.getenv("PROBE_PORT");
    if (probePort != null) {
      builder.configuration("probe-port", probePort, "environment PROBE_PORT");
    }
    GracefulShutdown shutdown = builder.install();
    DecoratingHttpServiceFunction counting = Quickstart.counting(shutdown);
    return Quickstart.serve(
        shutdown,
        Routes.add(server(), shutdown.connections())
            // Long-lived: registered, and not counted.
            .decorator(
                (service, ctx, request) ->
                    ctx.path().equals("/sse")
                        ? service.serve(ctx, request)
                        : counting.serve(service, ctx, request)));
  }

  private static Server serveNaively() {
    Server server = Routes.add(server(), new ConnectionControl().connections()).build();
    server.start().join();
    return server;
  }

  private static ServerBuilder server() {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    return Server.builder().http(port).requestTimeoutMillis(0).maxRequestLength(0);
  }
}
