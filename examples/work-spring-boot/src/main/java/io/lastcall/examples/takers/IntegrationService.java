package io.lastcall.examples.takers;

import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.integration.jdbc.inbound.JdbcPollingChannelAdapter;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Integration: accepted requests wait in a queue; an inbound adapter polls a table. */
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
            message -> pieces.work("accepted/" + message.getPayload()),
            endpoint -> endpoint.poller(Pollers.fixedDelay(Duration.ofMillis(50))))
        .get();
  }

  /** A row is locked, and done, in the transaction of its order. */
  @Bean
  IntegrationFlow polled(DataSource database, Pieces pieces) {
    JdbcPollingChannelAdapter rows =
        new JdbcPollingChannelAdapter(
            database, "select name from orders where not done limit 1 for update skip locked");
    rows.setUpdateSql("update orders set done = true where name in (:name)");
    return IntegrationFlow.from(
            rows,
            adapter -> adapter.poller(Pollers.fixedDelay(Duration.ofMillis(1)).transactional()))
        .split()
        .handle(message -> pieces.work(name((Map<?, ?>) message.getPayload())))
        .get();
  }

  private static String name(Map<?, ?> row) {
    return String.valueOf(row.get("name"));
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
