package io.lastcall.spring.rsocket;

import io.lastcall.spring.RSocketDrain;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.stereotype.Controller;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An RSocket service as a user writes it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(RSocketApplication.Orders.class)
public class RSocketApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(RSocketApplication.class, arguments);
  }

  /** After the shutdown knows that start-up is over. */
  @EventListener
  void ready(AvailabilityChangeEvent<ReadinessState> event) {
    System.out.println("readiness " + event.getState());
  }

  /** Its handlers. */
  @Controller
  static class Orders {
    /** Takes two seconds. */
    @MessageMapping("slow")
    Mono<String> slow(String order) {
      System.out.println("slow began " + order);
      return Mono.delay(Duration.ofSeconds(2)).thenReturn(order);
    }

    /** Without an answer; takes two seconds. */
    @MessageMapping("note")
    Mono<Void> note(String order) {
      System.out.println("note began " + order);
      return Mono.delay(Duration.ofSeconds(2))
          .doOnNext(done -> System.out.println("note ended " + order))
          .then();
    }

    /** Has an end. */
    @MessageMapping("tokens")
    Flux<String> tokens(String prompt) {
      return Flux.interval(Duration.ofMillis(100)).map(each -> prompt + each).take(30);
    }

    /** Has none. */
    @MessageMapping("prices")
    Flux<String> prices(String market) {
      return RSocketDrain.endless(Flux.interval(Duration.ofMillis(100)).map(each -> market + each));
    }

    /** Has none, and does not say so. */
    @MessageMapping("unmarked")
    Flux<String> unmarked(String market) {
      return Flux.interval(Duration.ofMillis(100)).map(each -> market + each);
    }
  }
}
