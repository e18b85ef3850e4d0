package io.lastcall.examples.takers;

import org.junit.jupiter.api.Tag;

/** All records come with one poll, which the grace period does not hold. */
@Tag("all")
class KafkaTest extends BacklogContract {
  KafkaTest() throws Exception {
    super(KafkaService.class, Backlogs.kafka());
  }
}
