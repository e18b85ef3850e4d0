package io.lastcall.examples.takers;

import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** Spring Cloud Stream consumes two topics, record by record. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class CloudStreamService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(CloudStreamService.class, arguments);
  }

  @Bean
  Consumer<String> orders(Pieces pieces) {
    return record -> pieces.work(record);
  }

  @Bean
  Consumer<String> mails(Pieces pieces) {
    return record -> pieces.work(record);
  }
}
