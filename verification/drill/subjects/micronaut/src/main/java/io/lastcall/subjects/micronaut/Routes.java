package io.lastcall.subjects.micronaut;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.sse.Event;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The application: it knows nothing of shutdowns. */
@Controller(produces = MediaType.TEXT_PLAIN)
final class Routes {
  private static final Duration PIECE = Duration.ofMillis(100);
  private static final Duration EVENT = Duration.ofMillis(500);

  @Get("/fast")
  String fast() {
    return "fast\n";
  }

  @Get("/work")
  Mono<String> work(@QueryValue long ms) {
    return Mono.delay(Duration.ofMillis(Math.max(0, ms))).map(done -> "w".repeat(1_000));
  }

  @Get("/stream")
  Publisher<String> stream(@QueryValue long ms) {
    return pieces(ms).map(i -> "s".repeat(100));
  }

  /** In answer to POST each piece is an event. */
  @Post(value = "/stream", consumes = MediaType.ALL, produces = MediaType.TEXT_EVENT_STREAM)
  Publisher<Event<String>> streamEvents(@QueryValue long ms) {
    return pieces(ms).map(i -> Event.of("s".repeat(100 - "data: \n\n".length())));
  }

  /** A tick that nothing has asked for yet waits: without a buffer it would cut the stream. */
  private static Flux<Long> pieces(long ms) {
    return Flux.interval(PIECE).take(Math.max(0, ms / PIECE.toMillis())).onBackpressureBuffer();
  }

  @Post(value = "/upload", consumes = MediaType.ALL)
  Mono<String> upload(@Body Publisher<byte[]> body) {
    return Flux.from(body).reduce(0L, (sum, part) -> sum + part.length).map(String::valueOf);
  }

  @Get(value = "/sse", produces = MediaType.TEXT_EVENT_STREAM)
  Publisher<Event<String>> events() {
    return Flux.interval(Duration.ZERO, EVENT).onBackpressureDrop().map(i -> Event.of("tick"));
  }

  /** Reached only without the library, which answers them itself. */
  @Get(uris = {"/livez", "/readyz", "/startupz"})
  String probe() {
    return "ok\n";
  }
}
