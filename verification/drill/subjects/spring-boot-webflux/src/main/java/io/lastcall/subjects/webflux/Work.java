package io.lastcall.subjects.webflux;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the service does. */
@RestController
class Work {
  private static final Duration PIECE = Duration.ofMillis(100);
  private static final Duration EVENT = Duration.ofMillis(500);

  @GetMapping(path = "/fast", produces = MediaType.TEXT_PLAIN_VALUE)
  Mono<String> fast() {
    return Mono.just("fast\n");
  }

  /** 1,000 bytes after so many milliseconds. */
  @GetMapping(path = "/work", produces = MediaType.TEXT_PLAIN_VALUE)
  Mono<String> work(@RequestParam(defaultValue = "0") long ms) {
    return Mono.delay(Duration.ofMillis(ms)).map(done -> "x".repeat(1000));
  }

  /** Pieces of 100 bytes, one every 100 ms. */
  @GetMapping("/stream")
  Mono<Void> stream(@RequestParam(defaultValue = "0") long ms, ServerHttpResponse response) {
    response.getHeaders().setContentType(MediaType.TEXT_PLAIN);
    byte[] piece = "x".repeat(100).getBytes(StandardCharsets.US_ASCII);
    return response.writeAndFlushWith(
        Flux.interval(PIECE)
            .take(Math.max(0, ms / PIECE.toMillis()))
            .onBackpressureBuffer()
            .map(tick -> Mono.just(response.bufferFactory().wrap(piece))));
  }

  /** The same as events. */
  @PostMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> events(@RequestParam(defaultValue = "0") long ms) {
    return Flux.interval(PIECE)
        .take(Math.max(0, ms / PIECE.toMillis()))
        .onBackpressureBuffer()
        .map(tick -> "x".repeat(93));
  }

  /** How many bytes it was. */
  @PostMapping(path = "/upload", produces = MediaType.TEXT_PLAIN_VALUE)
  Mono<String> upload(ServerHttpRequest request) {
    return request.getBody().map(Work::take).reduce(0L, Long::sum).map(String::valueOf);
  }

  private static long take(DataBuffer buffer) {
    int bytes = buffer.readableByteCount();
    DataBufferUtils.release(buffer);
    return bytes;
  }

  /** An event each 500 ms, until the library tells the stream to end. */
  @GetMapping(path = "/sse", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> events() {
    return Flux.interval(Duration.ZERO, EVENT).onBackpressureDrop().map(tick -> "tick");
  }
}
