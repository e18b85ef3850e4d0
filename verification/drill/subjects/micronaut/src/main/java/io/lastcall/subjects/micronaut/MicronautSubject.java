package io.lastcall.subjects.micronaut;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.micronaut.Quickstart;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quick start with the drill's paths. Environment: {@code PORT}; {@code PROBE_PORT}, where set,
 * serves the probes on a port of their own too; {@code NAIVE=true} runs the same server without the
 * library; {@code LASTCALL_*}, the library's settings.
 */
public final class MicronautSubject {
  private static final Logger log = LoggerFactory.getLogger(MicronautSubject.class);

  private MicronautSubject() {}

  /** Starts the server and returns; the event loops keep the process up, a failed start ends it. */
  public static void main(String[] args) {
    try {
      EmbeddedServer server =
          Boolean.parseBoolean(System.getenv("NAIVE")) ? serveNaively() : serve();
      log.info("ready on port {}", server.getPort());
    } catch (Throwable t) {
      log.error("not started", t);
      System.exit(1);
    }
  }

  private static EmbeddedServer serve() {
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .awaitStarted()
            .configuration(
                "probe-port",
                System.getenv().getOrDefault("PROBE_PORT", "off"),
                "environment PROBE_PORT")
            .install();
    return Quickstart.serve(shutdown, settings());
  }

  private static EmbeddedServer serveNaively() {
    return ApplicationContext.run(EmbeddedServer.class, settings());
  }

  private static Map<String, Object> settings() {
    return Map.of(
        "micronaut.server.port",
        System.getenv().getOrDefault("PORT", "8080"),
        "micronaut.server.max-request-size",
        "1GB");
  }
}
