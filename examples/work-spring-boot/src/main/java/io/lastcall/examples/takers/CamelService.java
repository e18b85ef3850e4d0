package io.lastcall.examples.takers;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** Apache Camel takes a piece each time its timer fires, and serves requests by another route. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class CamelService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(CamelService.class, arguments);
  }

  @Bean
  RouteBuilder routes(Pieces pieces) {
    return new RouteBuilder() {
      @Override
      public void configure() {
        from("timer:orders?period=10")
            .process(exchange -> pieces.work("order-" + exchange.getProperty("CamelTimerCounter")));
        from("platform-http:/hello").to("direct:hello");
        from("direct:hello").setBody(constant("hello"));
      }
    };
  }
}
