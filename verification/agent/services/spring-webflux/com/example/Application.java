package com.example;

import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer at once, two that come later, and a stream. */
@SpringBootApplication
@RestController
public class Application {
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  @GetMapping("/fast")
  Mono<String> fast() {
    return Mono.just("ok");
  }

  @PostMapping("/work")
  Mono<String> work(@RequestBody String body) {
    return Mono.just(body).delayElement(Duration.ofMillis(300));
  }

  @GetMapping("/later")
  Mono<String> later() {
    return Mono.just("ok").delayElement(Duration.ofMillis(300));
  }

  @GetMapping(path = "/stream", produces = MediaType.APPLICATION_NDJSON_VALUE)
  Flux<String> stream() {
    return Flux.range(0, 10).delayElements(Duration.ofMillis(100)).map(i -> "\"line " + i + "\"\n");
  }
}
