package io.lastcall.examples.reactor;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.reactor.ReactorDrain;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/** What a service on Reactor Netty needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Serves an application that says hello on port 8080. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();

    HttpServer http =
        HttpServer.create()
            .port(8080)
            .protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
            .route(
                routes ->
                    routes.get(
                        "/", (request, response) -> response.sendString(Mono.just("hello\n"))));
    DisposableServer server = ReactorDrain.of(shutdown).drained(http).bindNow();

    shutdown.started();
    server.onDispose().block(); // the server's threads are daemons
  }
}
