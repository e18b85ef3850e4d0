package io.lastcall.examples.gateway;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The services behind the gateway. They stay while it is rolled. */
final class Services implements AutoCloseable {
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final DisposableServer server;

  Services() {
    server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .route(
                routes ->
                    routes
                        .get("/orders/1", (in, out) -> out.sendString(Mono.just("order 1")))
                        .get(
                            "/orders/slow",
                            (in, out) -> out.sendString(after(Duration.ofSeconds(1))))
                        .get("/orders/export", (in, out) -> out.sendString(rows()))
                        .get("/orders/events", (in, out) -> out.sse().sendString(events()))
                        .ws(
                            "/prices",
                            (in, out) -> {
                              opened.incrementAndGet();
                              in.receiveCloseStatus().subscribe(end -> closed.incrementAndGet());
                              return out.send(in.receive().retain());
                            }))
            .bindNow();
  }

  private static Mono<String> after(Duration time) {
    return Mono.just("order 2").delayElement(time);
  }

  /** For two seconds, in chunks. */
  private static Flux<String> rows() {
    return Flux.range(0, 20).map(row -> "row " + row + "\n").delayElements(Duration.ofMillis(100));
  }

  /** Until the client goes. */
  private static Flux<String> events() {
    return Flux.interval(Duration.ofMillis(200)).map(each -> "data: " + each + "\n\n");
  }

  int port() {
    return server.port();
  }

  /** How many WebSockets the gateway has opened. */
  int opened() {
    return opened.get();
  }

  /** How many of them it has ended by a close frame. */
  int closed() {
    return closed.get();
  }

  @Override
  public void close() {
    server.disposeNow();
  }
}
