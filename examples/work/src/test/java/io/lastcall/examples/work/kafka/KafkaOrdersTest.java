package io.lastcall.examples.work.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.examples.work.ConsumerContract;
import org.junit.jupiter.api.AfterEach;

class KafkaOrdersTest extends ConsumerContract<KafkaBacklog> {
  KafkaOrdersTest() throws Exception {
    super(new KafkaBacklog(), KafkaOrders.class);
  }

  /** Or its partitions belong to nobody until the session times out. */
  @AfterEach
  void groupIsLeft() throws Exception {
    assertEquals(0, backlog().members());
  }
}
