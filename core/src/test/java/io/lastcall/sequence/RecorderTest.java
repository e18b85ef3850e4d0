package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.TestPermit;
import io.lastcall.report.WorkReport;
import io.lastcall.testing.ManualTicker;
import io.lastcall.work.WorkControl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Service service = Service.of(new Registrations(), ticker);
  private final GateControl gate = service.gate();
  private final Recorder recorder = new Recorder(service);

  @Test
  void drain_wasIdle_leavesNobodyBehindWhoIsRefusedInThisMoment() {
    // What a request that is refused between the two sums looks like.
    assertTrue(gate.gate().enter(new TestPermit("GET /late")));
    assertEquals(0, recorder.totals().abandoned());
    recorder.endDrain(true);
    assertEquals(0, recorder.totals().abandoned());
  }

  @Test
  void drain_wasIdle_leavesNoWorkBehindThatIsRefusedInThisMoment() {
    WorkControl work = new WorkControl(ticker);
    // What a unit that is refused between the two sums looks like.
    work.work("mail").begin("late");
    work.endReport(true);
    assertEquals(List.of(new WorkReport("mail", 0, 0, 0)), work.reports());
    work.endReport(false);
    assertEquals(List.of(new WorkReport("mail", 0, 1, 0)), work.reports());
  }

  @Test
  void drain_timedOut_whatRunsIsAbandonedHoweverItEnds() {
    TestPermit stuck = new TestPermit("GET /stuck");
    assertTrue(gate.gate().enter(stuck));
    recorder.endDrain(false);
    assertTrue(stuck.release());
    recorder.endDrain(false);
    assertEquals(1, recorder.totals().abandoned());
    assertEquals(0, recorder.totals().served());
  }

  @Test
  void totals_refusedAfterDrain_isTheLastArrivalAndItsConnectionTheLast() {
    gate.leave(Duration.ZERO);
    gate.close();
    recorder.endDrain(true);
    ticker.advance(Duration.ofSeconds(2));
    assertFalse(gate.gate().enter(new TestPermit("GET /late")));
    assertEquals(1, recorder.totals().refused());
    gate.gate().cameBy(gate.gate().accepted(null));
    assertEquals(Optional.of(Duration.ofSeconds(2)), recorder.totals().lastArrival());
    assertEquals(Optional.of(Duration.ofSeconds(2)), recorder.totals().lastConnection());
  }
}
