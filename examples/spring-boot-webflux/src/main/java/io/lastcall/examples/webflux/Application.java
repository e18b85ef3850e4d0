package io.lastcall.examples.webflux;

import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/**
 * A chat service. Nothing in it speaks of shutdowns: starter and adapter on the class path are
 * enough.
 */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
class Application {
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  @GetMapping("/model")
  String model() {
    return "echo";
  }

  record Question(String text) {}

  /**
   * Streams the answer, a token at a time. In place of a language model: it repeats the question, a
   * word each 100 ms.
   */
  @PostMapping(path = "/chat", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> chat(@RequestBody Question question) {
    return Flux.fromArray(question.text().split(" ", -1))
        .delayElements(Duration.ofMillis(100))
        .concatWithValues("[DONE]");
  }
}
