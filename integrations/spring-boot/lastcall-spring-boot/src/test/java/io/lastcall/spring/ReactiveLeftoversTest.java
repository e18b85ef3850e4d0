package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;

/** Reactor is there, which Spring Integration needs. */
@Timeout(60)
class ReactiveLeftoversTest {
  @Configuration(proxyBeanMethods = false)
  @EnableIntegration
  static class Orders {
    @Bean
    IntegrationFlow orders() {
      return IntegrationFlow.from("orders.in")
          .filter(String.class, order -> !order.isEmpty())
          .transform(String.class, String::strip)
          .handle(String.class, (order, headers) -> order)
          .route(String.class, order -> "orders.out")
          .get();
    }
  }

  @Test
  void refuse_handlersOfAFlow_whichSayThatTheyRunForEver_areNoLeftovers() {
    var context = new AnnotationConfigApplicationContext(Orders.class);
    var handlers = context.getBeansOfType(Lifecycle.class).values();
    Leftovers leftovers = new Leftovers();
    leftovers.beforeClose(context);
    context.close();
    assertFalse(context.isRunning());
    assertTrue(handlers.stream().anyMatch(Lifecycle::isRunning));
    leftovers.refuse(Deadline.after(Duration.ofSeconds(1), Ticker.system()));
  }
}
