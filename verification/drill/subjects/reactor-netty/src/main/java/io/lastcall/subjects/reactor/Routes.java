package io.lastcall.subjects.reactor;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/** The application: it knows nothing of shutdowns. */
final class Routes {
  private static final Duration PIECE = Duration.ofMillis(100);
  private static final Duration EVENT = Duration.ofMillis(500);

  private Routes() {}

  static void add(HttpServerRoutes routes) {
    routes
        .get("/fast", (request, response) -> response.sendString(Mono.just("fast\n")))
        .head("/fast", (request, response) -> response.header("Content-Length", "5").send())
        .get("/work", timed(time -> Mono.delay(time).map(done -> "w".repeat(1_000))))
        .get("/stream", timed(Routes::pieces))
        .post(
            "/stream",
            (request, response) ->
                timed(time -> pieces(time).map(Routes::event)).apply(request, response.sse()))
        .post("/upload", (request, response) -> response.sendString(length(request)))
        .get("/sse", (request, response) -> response.sse().sendString(events()))
        .ws("/ws", (in, out) -> out.sendObject(in.receiveFrames().map(WebSocketFrame::retain)));
    // Reached only without the library, which answers them itself.
    for (String probe : List.of("/livez", "/readyz", "/startupz")) {
      routes.get(probe, (request, response) -> response.sendString(Mono.just("ok\n")));
    }
  }

  /** What takes the time that {@code ms} says. */
  private static BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> timed(
      Function<Duration, Publisher<String>> answer) {
    return (request, response) -> {
      Duration time;
      try {
        time = millis(request);
      } catch (IllegalArgumentException e) {
        return response.status(400).sendString(Mono.just("bad request\n"));
      }
      return response.sendString(answer.apply(time));
    };
  }

  private static Flux<String> pieces(Duration time) {
    return Flux.interval(PIECE)
        .take(Math.max(0, time.dividedBy(PIECE)))
        .onBackpressureBuffer()
        .map(tick -> "s".repeat(100));
  }

  /** As long as the piece. */
  private static String event(String piece) {
    return "data:" + piece.substring("data:\n\n".length()) + "\n\n";
  }

  private static Mono<String> length(HttpServerRequest request) {
    return request.receive().map(ByteBuf::readableBytes).reduce(0L, Long::sum).map(String::valueOf);
  }

  private static Flux<String> events() {
    return Flux.interval(Duration.ZERO, EVENT).onBackpressureDrop().map(tick -> "data: tick\n\n");
  }

  private static Duration millis(HttpServerRequest request) {
    QueryStringDecoder uri = new QueryStringDecoder(request.uri());
    return Duration.ofMillis(
        Long.parseLong(uri.parameters().getOrDefault("ms", List.of("0")).get(0)));
  }
}
