package io.lastcall.examples.takers;

import io.awspring.cloud.sqs.annotation.SqsListener;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** A listener of SQS, by Spring Cloud AWS. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import({Pieces.class, SqsService.Orders.class})
public class SqsService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(SqsService.class, arguments);
  }

  /** Works through messages, one at a time. */
  static class Orders {
    private final Pieces pieces;

    Orders(Pieces pieces) {
      this.pieces = pieces;
    }

    @SqsListener(
        queueNames = "${orders.queue}",
        maxConcurrentMessages = "1",
        maxMessagesPerPoll = "1",
        pollTimeoutSeconds = "1")
    void order(String order) {
      pieces.work(order);
    }
  }
}
