package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.report.Traffic;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TrafficRecorderTest {
  /** Each look at it finds the next interval. */
  private static final class LeapingTicker implements Ticker {
    private final ManualTicker ticker = new ManualTicker();

    @Override
    public long read() {
      ticker.advance(Duration.ofMillis(100));
      return ticker.read();
    }

    @Override
    public void parkUntil(Object blocker, long time) {
      ticker.parkUntil(blocker, time);
    }
  }

  @Test
  void stop_whileTheClockRunsOn_listsAreAsLongAsEachOther() {
    Ticker ticker = new LeapingTicker();
    Deadline start = Deadline.after(Duration.ZERO, ticker);
    Budget budget = new Budget(new Harness().builder().plan(), Kind.STOP_SIGNAL, start);
    Traffic traffic =
        new TrafficRecorder(budget, new GateControl(ticker), new ConnectionControl(), List.of())
            .stop();
    Set<Integer> lengths =
        Stream.of(
                traffic.arrivals(),
                traffic.refused(),
                traffic.inFlight(),
                traffic.httpConnections(),
                traffic.longLived(),
                traffic.closings())
            .map(List::size)
            .collect(Collectors.toSet());
    assertEquals(1, lengths.size(), lengths::toString);
  }
}
