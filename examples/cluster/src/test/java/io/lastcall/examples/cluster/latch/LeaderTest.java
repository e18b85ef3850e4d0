package io.lastcall.examples.cluster.latch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.examples.cluster.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class LeaderTest {
  @Test
  void sigterm_whileItLeads_orderInWorkIsDoneBeforeAnotherLeads() throws Exception {
    try (LatchTrial trial = new LatchTrial()) {
      Outcome outcome = trial.shutDown(0);
      assertEquals(List.of(), outcome.wrong());
      assertEquals(0, outcome.exitCode());
    }
  }
}
