package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.TestPermit;
import io.lastcall.testing.ManualTicker;
import java.util.List;
import org.junit.jupiter.api.Test;

class StuckReporterTest {
  private final GateControl gate = new GateControl(new ManualTicker());

  @Test
  void requests_manyOnOneThread_showsSomeAndItsStackOnce() {
    Thread eventLoop = Thread.currentThread();
    for (int i = 0; i < 25; i++) {
      assertTrue(gate.gate().enter(new TestPermit("GET /" + i, eventLoop)));
    }
    List<String> lines = StuckReporter.requests(gate).lines().toList();
    assertEquals(20, lines.stream().filter(line -> line.startsWith("  request GET /")).count());
    assertEquals(
        19,
        lines.stream().filter(line -> line.endsWith(", also on " + eventLoop.getName())).count());
    assertEquals(12, lines.stream().filter(line -> line.startsWith("      at ")).count());
    assertEquals("  and 5 more requests", lines.get(lines.size() - 1));
  }
}
