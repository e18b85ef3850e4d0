package io.lastcall.examples.vertx;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.vertx.VertxDrain;
import io.lastcall.phase.Phase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a service on Vert.x needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application that says hello on port 8080. */
  public static void main(String[] args) throws TimeoutException {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();

    // Each server that this Vertx starts is drained.
    Vertx vertx = Vertx.builder().withTransport(VertxDrain.of(shutdown)).build();
    // Verticles are stopped when no request needs them any more.
    shutdown.step(
        Phase.CLOSE_CONNECTIONS,
        "vertx",
        step -> vertx.close().await(step.deadline().remaining().toNanos(), TimeUnit.NANOSECONDS));

    vertx
        // HTTP/1.1; of Vert.x's two implementations of HTTP/2 the multiplex one can be drained.
        .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
        .requestHandler(request -> request.response().end("hello\n"))
        .listen(8080)
        .await(30, TimeUnit.SECONDS);
    shutdown.started();
  }
}
