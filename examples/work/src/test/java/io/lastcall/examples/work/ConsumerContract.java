package io.lastcall.examples.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What holds, besides, for a client that can hand back what it has taken.
 *
 * @param <B> the broker
 */
public abstract class ConsumerContract<B extends Backlog> extends TakerContract<B> {
  protected ConsumerContract(B backlog, Class<?> program) {
    super(backlog, program);
  }

  @Test
  void sigterm_orderOutlivesDrain_isHandedBackAndCanBeTakenAtOnce() throws Exception {
    Trial trial = Trial.inLongOrder(backlog(), program());
    assertEquals(List.of("order-0"), trial.handedBack(), trial::toString);
    assertEquals(75, trial.exitCode(), trial::toString);
  }
}
