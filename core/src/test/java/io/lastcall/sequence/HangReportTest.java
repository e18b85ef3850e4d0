package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.TestPermit;
import io.lastcall.process.Threads;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class HangReportTest {
  private static final Duration LOOKS = Duration.ofMillis(100);

  private final ManualTicker ticker = new ManualTicker();
  private final Service service = Service.of(new Registrations(), ticker);
  private final GateControl gate = service.gate();
  private final HangReport reporter = new HangReport(Deadline.after(LOOKS, ticker));

  @Test
  void requests_manyOnOneThread_showsSomeAndItsStackOnce() {
    Thread eventLoop = Thread.currentThread();
    for (int i = 0; i < 25; i++) {
      assertTrue(gate.gate().enter(new TestPermit("GET /" + i, eventLoop)));
    }
    List<String> lines = reporter.requests(service).lines().toList();
    assertEquals(20, lines.stream().filter(line -> line.startsWith("  request GET /")).count());
    assertEquals(
        19,
        lines.stream().filter(line -> line.endsWith(", also on " + eventLoop.getName())).count());
    assertEquals(12, lines.stream().filter(line -> line.startsWith("      at ")).count());
    assertEquals("  and 5 more", lines.get(lines.size() - 1));
  }

  @Test
  void requests_lookAtOneThreadTakesLong_showsTheOthersWithoutStacks() {
    for (int i = 0; i < 3; i++) {
      assertTrue(gate.gate().enter(new TestPermit("GET /" + i, new SlowToStop())));
    }
    List<String> lines = reporter.requests(service).lines().toList();
    assertEquals(
        List.of(
            "",
            "  request GET /0, 1500 ms old",
            "      at Somebody.computes(Unknown Source)",
            "  request GET /1, 1500 ms old (no time for its stack)",
            "  request GET /2, 1500 ms old (no time for its stack)"),
        lines);
  }

  @Test
  void startedSince_manyThreadsThatTakeLongToLookAt_looksAtOneAndNamesAll() {
    Set<Thread> before = Threads.alive();
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 25; i++) {
      new SlowToStop(end).start();
    }
    List<String> lines;
    try {
      lines = reporter.startedSince(before).lines().toList();
    } finally {
      end.countDown();
    }
    String unseen = "  thread slow: (no time for its stack)";
    assertEquals(24, lines.stream().filter(unseen::equals).count());
    assertEquals(1, lines.stream().filter(line -> line.contains("Somebody.computes")).count());
  }

  /** One that reaches no safepoint for as long as stacks may be looked at. */
  private final class SlowToStop extends Thread {
    SlowToStop() {}

    SlowToStop(CountDownLatch end) {
      super(
          () -> {
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      setDaemon(true);
      setName("slow");
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      ticker.advance(LOOKS);
      return new StackTraceElement[] {new StackTraceElement("Somebody", "computes", null, -1)};
    }
  }
}
