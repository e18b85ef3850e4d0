package io.lastcall.examples.work.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.examples.work.TakerContract;
import io.lastcall.examples.work.Trial;
import io.lastcall.examples.work.kafka.KafkaBacklog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamsOrdersTest extends TakerContract<KafkaBacklog> {
  private int members;

  StreamsOrdersTest() throws Exception {
    super(new KafkaBacklog(), StreamsOrders.class);
  }

  /** Or its partitions belong to nobody until the session times out. */
  @AfterEach
  void groupIsLeft() throws Exception {
    assertEquals(members, backlog().members());
  }

  /** What others write: the member stays until its session times out. */
  @Test
  void sigterm_withoutTheLibrary_groupIsNotLeft() throws Exception {
    members = 1;
    Trial trial = Trial.underLoad(backlog(), StreamsOrdersWithout.class, 0);
    assertEquals(143, trial.exitCode(), trial::toString);
  }
}
