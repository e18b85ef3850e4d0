package io.lastcall.examples.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What holds for every client, with its own broker.
 *
 * @param <B> the broker
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TakerContract<B extends Backlog> {
  private static final int SHUTDOWNS = 2;

  private final B backlog;
  private final Class<?> program;

  protected TakerContract(B backlog, Class<?> program) {
    this.backlog = backlog;
    this.program = program;
  }

  protected final B backlog() {
    return backlog;
  }

  final Class<?> program() {
    return program;
  }

  @AfterAll
  void close() {
    backlog.close();
  }

  @Test
  void sigterm_underLoad_losesNothingDoublesNothingAndTakesNoMore() throws Exception {
    for (int i = 0; i < SHUTDOWNS; i++) {
      Trial trial = Trial.underLoad(backlog, program, i);
      assertEquals(List.of(), trial.missing(), trial::toString);
      assertEquals(List.of(), trial.doubled(), trial::toString);
      assertEquals(List.of(), trial.handedBack(), trial::toString);
      // One may be on its way from the client to the code that prints.
      assertTrue(trial.takenAfterStop() <= 1, trial::toString);
      assertEquals(0, trial.exitCode(), trial::toString);
    }
  }
}
