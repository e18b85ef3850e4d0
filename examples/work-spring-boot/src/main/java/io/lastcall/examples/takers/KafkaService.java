package io.lastcall.examples.takers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;

/** A listener of Kafka; a poll brings many records. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import({Pieces.class, KafkaService.Orders.class})
public class KafkaService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(KafkaService.class, arguments);
  }

  /** Works through records. */
  static class Orders {
    private final Pieces pieces;

    Orders(Pieces pieces) {
      this.pieces = pieces;
    }

    @KafkaListener(topics = "${orders.topic}", groupId = "${orders.topic}")
    void order(String record) {
      pieces.work(record);
    }
  }
}
