package io.lastcall.examples.cluster.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.examples.cluster.Outcome;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class OrderServiceTest {
  /** The grace period of 30 s, less the reserve. */
  private static final double HALT_MILLIS = 29_000;

  @Test
  void sigterm_withItsRegistry_noRequestFails() throws Exception {
    try (DiscoveryTrial trial = new DiscoveryTrial()) {
      Outcome there = trial.shutDown(0);
      assertEquals(List.of(), there.wrong());
      assertEquals(0, there.exitCode());
    }
  }

  @Test
  @Tag("long")
  void sigterm_registryIsGone_isNotHeldUp() throws Exception {
    try (DiscoveryTrial trial = new DiscoveryTrial()) {
      Outcome gone = trial.shutDownWithoutRegistry();
      assertEquals(80, gone.exitCode()); // the step is in the report
      assertTrue(gone.goneMillis() < HALT_MILLIS, gone::toString);
    }
  }
}
