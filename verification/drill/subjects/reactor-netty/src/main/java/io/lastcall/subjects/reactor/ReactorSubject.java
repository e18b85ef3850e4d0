package io.lastcall.subjects.reactor;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.reactor.ReactorDrain;
import io.netty.channel.ChannelOption;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * Reactor Netty with a graceful shutdown. Environment: {@code PORT}; {@code PROBE_PORT}, where set,
 * serves the probes on a port of their own too; {@code NAIVE=true} runs the same server without the
 * library; {@code LASTCALL_*}, the library's settings.
 */
public final class ReactorSubject {
  private static final Logger log = LoggerFactory.getLogger(ReactorSubject.class);

  // Of its own, so that the library can end them; they keep the JVM alive.
  private final LoopResources loops =
      LoopResources.create("http", 1, Runtime.getRuntime().availableProcessors(), false);

  private ReactorSubject() {}

  /** Starts the server and returns; the event loops keep the process up, a failed start ends it. */
  public static void main(String[] args) {
    Map<String, String> env = System.getenv();
    int port = Integer.parseInt(env.getOrDefault("PORT", "8080"));
    ReactorSubject example = new ReactorSubject();
    try {
      int bound =
          Boolean.parseBoolean(env.get("NAIVE"))
              ? example.server(port).bindNow().port()
              : example.serve(port, env.getOrDefault("PROBE_PORT", "off"));
      log.info("ready on port {}", bound);
    } catch (Throwable t) {
      log.error("not started", t);
      System.exit(1);
    }
  }

  private int serve(int port, String probePort) {
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .awaitStarted()
            .configuration("probe-port", probePort, "environment PROBE_PORT")
            .install();
    DisposableServer server = ReactorDrain.of(shutdown).drained(server(port)).bindNow();
    shutdown.started();
    return server.port();
  }

  private HttpServer server(int port) {
    return HttpServer.create()
        .port(port)
        .runOn(loops)
        .option(ChannelOption.SO_BACKLOG, 1024)
        .protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
        .route(Routes::add);
  }
}
