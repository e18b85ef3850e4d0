package io.lastcall.rollout.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PhaseLogTest {
  private final PhaseLog log = new PhaseLog();

  /** A line of each, as the examples' log has it. */
  @Test
  void line_eachPhase_isAMark() {
    log.line("INFO io.lastcall - trigger=STOP_SIGNAL Shutdown begun by SIGTERM, gone by 08:11", 10);
    log.line("ready", 15);
    log.line("INFO io.lastcall - phase=FAIL_READINESS Readiness fails now (/readyz 503)", 20);
    log.line("INFO io.lastcall - DRAIN waits for 2 requests in flight, for up to 5399 ms", 30);
    log.line("INFO io.lastcall - Closing 3 long-lived connections, for up to 1500 ms", 40);
    log.line("INFO io.lastcall - Shutdown clean after 4064 ms (SIGTERM), exit code 0", 50);
    log.line("  KEEP_SERVING 3.9 s, FAIL_READINESS 1 ms, DRAIN 40 ms", 51);

    assertEquals(
        List.of(
            new PhaseLog.Mark(PodPhase.KEEP_SERVING, 10),
            new PhaseLog.Mark(PodPhase.FAIL_READINESS, 20),
            new PhaseLog.Mark(PodPhase.DRAIN, 30),
            new PhaseLog.Mark(PodPhase.CLOSE_CONNECTIONS, 40),
            new PhaseLog.Mark(PodPhase.EXIT, 50)),
        log.marks());
  }

  @Test
  void line_aboutAPhaseAgain_changesNothing() {
    log.line("DRAIN waits for 2 requests in flight", 10);
    log.line("DRAIN waits for 1 request in flight", 20);

    assertEquals(List.of(new PhaseLog.Mark(PodPhase.DRAIN, 10)), log.marks());
  }
}
