package io.lastcall.examples.cluster.eureka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.examples.cluster.Outcome;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** One trial for both tests, since it takes seconds to start; each ends one of the services. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OrderServiceTest {
  /** The grace period of 30 s, less the reserve. */
  private static final double HALT_MILLIS = 29_000;

  private EurekaTrial trial;

  @BeforeAll
  void start() throws Exception {
    trial = new EurekaTrial();
  }

  @AfterAll
  void stop() throws IOException {
    trial.close();
  }

  @Test
  @Order(1)
  void sigterm_registryRefusesThreeTimes_noRequestFails() throws Exception {
    trial.refuseDeregistrations(3);
    Outcome there = trial.shutDown(0);
    assertEquals(List.of(), there.wrong());
    assertEquals(0, there.exitCode());
  }

  @Test
  @Order(2)
  @Tag("long")
  void sigterm_registryIsSilent_isNotHeldUp() throws Exception {
    Outcome gone = trial.shutDownWithoutRegistry();
    assertEquals(80, gone.exitCode()); // the step is in the report
    assertTrue(gone.goneMillis() < HALT_MILLIS, gone::toString);
  }
}
