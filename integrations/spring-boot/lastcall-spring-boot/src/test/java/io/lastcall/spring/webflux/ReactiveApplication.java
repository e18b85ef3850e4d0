package io.lastcall.spring.webflux;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.connection.EndlessResponse;
import io.lastcall.phase.Phase;
import io.lastcall.spring.service.SlowEndpoint;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A WebFlux service as a user writes it: nothing in it but one annotation knows of a shutdown. */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
@Import(SlowEndpoint.class)
public class ReactiveApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(ReactiveApplication.class, arguments);
  }

  /** A client, whose {@code isRunning()} stays true after the context's close. */
  @Bean
  static ReactorClientHttpConnector connector() {
    return new ReactorClientHttpConnector();
  }

  private final Orders orders;

  ReactiveApplication(Orders orders) {
    this.orders = orders;
  }

  /** Answers only once DRAIN has begun. */
  @GetMapping("/slow")
  Mono<String> slow() {
    System.out.println("slow began");
    return orders.draining.asMono();
  }

  @GetMapping("/fast")
  Mono<String> fast() {
    return Mono.just("fast");
  }

  /** One event, and then nothing happens. */
  @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> events() {
    return Flux.concat(Mono.just("first"), Flux.never());
  }

  @GetMapping(path = "/quiet", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> quiet() {
    System.out.println("quiet began");
    return Flux.never();
  }

  /** Answers in tokens, as a language model does: the second comes once DRAIN has begun. */
  @PostMapping(path = "/chat", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> chat() {
    System.out.println("chat began");
    return Flux.concat(Mono.just("one"), orders.draining.asMono(), Mono.just("[DONE]"));
  }

  /** In answer to GET: what ends by itself must say so. */
  @GetMapping(path = "/chat", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> chatMarked(ServerHttpResponse response) {
    response.getHeaders().set(EndlessResponse.HEADER, EndlessResponse.FINITE);
    return chat();
  }

  /** Something with an end of its own. */
  @Component
  static final class Orders implements AutoCloseable {
    final Sinks.One<String> draining = Sinks.one();

    @OnShutdown(phase = Phase.DRAIN)
    void stopConsumers() {
      System.out.println("consumers stopped");
      draining.emitValue("slow", Sinks.EmitFailureHandler.FAIL_FAST);
    }

    @Override
    public void close() {
      System.out.println("bean destroyed");
    }
  }
}
