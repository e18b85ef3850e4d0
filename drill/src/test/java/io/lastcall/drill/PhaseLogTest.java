package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PhaseLogTest {
  private final PhaseLog log = new PhaseLog();

  @Test
  void line_namingAPhase_isAMark() {
    log.line("[main] INFO io.lastcall - phase KEEP_SERVING begins", 10);
    log.line("something else", 15);
    log.line("[lastcall] INFO io.lastcall - DRAIN: 3 in flight", 20);

    assertEquals(
        List.of(
            new PhaseLog.Mark(PodPhase.KEEP_SERVING, 10), new PhaseLog.Mark(PodPhase.DRAIN, 20)),
        log.marks());
  }

  @Test
  void line_aboutAPhaseAgain_changesNothing() {
    log.line("DRAIN begins", 10);
    log.line("DRAIN done", 20);

    assertEquals(List.of(new PhaseLog.Mark(PodPhase.DRAIN, 10)), log.marks());
  }

  @Test
  void line_namingSeveralPhases_isATable_andNoMark() {
    log.line("KEEP_SERVING 4.0 s, DRAIN 0.2 s", 10);

    assertEquals(List.of(), log.marks());
  }
}
