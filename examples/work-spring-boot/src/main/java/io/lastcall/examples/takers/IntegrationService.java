package io.lastcall.examples.takers;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Integration: accepted requests wait in a queue; an inbound adapter polls elsewhere. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import({Pieces.class, IntegrationService.Orders.class})
public class IntegrationService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(IntegrationService.class, arguments);
  }

  @Bean
  QueueChannel orders() {
    return new QueueChannel();
  }

  @Bean
  IntegrationFlow accepted(QueueChannel orders, Pieces pieces) {
    return IntegrationFlow.from(orders)
        .handle(
            message -> pieces.work("accepted " + message.getPayload()),
            endpoint -> endpoint.poller(Pollers.fixedDelay(Duration.ofMillis(50))))
        .get();
  }

  @Bean
  IntegrationFlow polled(Pieces pieces) {
    AtomicInteger row = new AtomicInteger();
    return IntegrationFlow.fromSupplier(
            row::incrementAndGet,
            adapter -> adapter.poller(Pollers.fixedDelay(Duration.ofMillis(50))))
        .handle(message -> pieces.work("polled " + message.getPayload()))
        .get();
  }

  /** Accepts an order, which is done later. */
  @RestController
  static class Orders {
    private final QueueChannel orders;

    Orders(QueueChannel orders) {
      this.orders = orders;
    }

    @GetMapping("/order")
    String order(String id) {
      orders.send(new GenericMessage<>(id));
      return "accepted";
    }
  }
}
