package io.lastcall.drill;

import static io.lastcall.drill.Runs.SECOND;
import static io.lastcall.drill.Runs.exchange;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.rollout.load.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceLoadTest {
  @Test
  void summary_failures_areCountedByKindAndTime() {
    assertEquals(
        "3 failed of 4 requests, 0 of them on kept-alive connections, 1 answered with Connection:"
            + " close; failed: 1 eof, 2 refused; 1 at 0 s, 2 at 20 s before the end",
        ServiceLoad.summary(
            List.of(
                exchange(0, SECOND, Outcome.REFUSED),
                exchange(0, 21 * SECOND, Outcome.OK),
                exchange(0, 20 * SECOND, Outcome.EOF),
                exchange(0, SECOND, Outcome.REFUSED))));
  }

  @Test
  void summary_noFailure_isTheCountsAlone() {
    assertEquals(
        "0 failed of 1 requests, 0 of them on kept-alive connections, 1 answered with Connection:"
            + " close",
        ServiceLoad.summary(List.of(exchange(0, SECOND, Outcome.OK))));
  }
}
