package io.lastcall.subjects.vertx;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.vertx.VertxDrain;
import io.lastcall.phase.Phase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vert.x with a graceful shutdown. Environment: {@code PORT}; {@code HTTP2=true} for a port that
 * speaks nothing but HTTP/2, {@code HTTP2=default} for both versions by Vert.x's default
 * implementation, which cannot be drained; {@code PROBE_PORT}, where set, serves the probes on a
 * port of their own too; {@code NAIVE=true} runs the same server without the library; {@code
 * LASTCALL_*}, the library's settings.
 */
public final class VertxSubject {
  private static final Logger log = LoggerFactory.getLogger(VertxSubject.class);

  private static final long TIMEOUT = 30;

  private VertxSubject() {}

  /** Starts the server and returns; the event loops keep the process up, a failed start ends it. */
  public static void main(String[] args) {
    Map<String, String> env = System.getenv();
    int port = Integer.parseInt(env.getOrDefault("PORT", "8080"));
    try {
      int bound =
          Boolean.parseBoolean(env.get("NAIVE"))
              ? listen(Vertx.vertx(), port)
              : serve(port, env.getOrDefault("PROBE_PORT", "off"));
      log.info("ready on port {}", bound);
    } catch (Throwable t) {
      log.error("not started", t);
      System.exit(1);
    }
  }

  private static int serve(int port, String probePort) throws TimeoutException {
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .awaitStarted()
            .configuration("probe-port", probePort, "environment PROBE_PORT")
            .install();
    Vertx vertx = Vertx.builder().withTransport(VertxDrain.of(shutdown)).build();
    int bound = listen(vertx, port);
    // Verticles are stopped when no request needs them. Vert.x may fail to say goodbye on a
    // connection that has ended, which is no news.
    shutdown.step(
        Phase.CLOSE_CONNECTIONS,
        "vertx",
        step ->
            vertx
                .close()
                .otherwiseEmpty()
                .await(step.deadline().remaining().toNanos(), TimeUnit.NANOSECONDS));
    shutdown.started();
    return bound;
  }

  private static int listen(Vertx vertx, int port) throws TimeoutException {
    String http2 = System.getenv("HTTP2");
    HttpServerOptions options =
        new HttpServerOptions()
            .setAcceptBacklog(1024)
            .setHandle100ContinueAutomatically(true)
            .setHttp2ClearTextEnabled(http2 != null)
            .setHttp2MultiplexImplementation(Boolean.parseBoolean(http2));
    return vertx
        .createHttpServer(options)
        .requestHandler(new Routes(vertx))
        .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage))
        .listen(port)
        .await(TIMEOUT, TimeUnit.SECONDS)
        .actualPort();
  }
}
