package io.lastcall.propagation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.ManualTicker;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ArrivalHistoryTest {
  private final ManualTicker ticker = new ManualTicker();

  @Test
  void arrivals_aSecondShortOfTheWholeHistory_areNone() {
    assertEquals(Optional.empty(), History.of(ticker, 299, second -> 7).arrivals());
  }

  @Test
  void arrivals_overTheWholeHistory_areThoseOfEachSecondOldestFirst() {
    long[] arrivals = History.of(ticker, 300, second -> second).arrivals().orElseThrow();
    assertArrayEquals(LongStream.range(0, 300).toArray(), arrivals);
  }

  @Test
  void arrivals_afterMoreThanTheHistory_areTheLastFiveMinutes() {
    long[] arrivals = History.of(ticker, 417, second -> second).arrivals().orElseThrow();
    assertArrayEquals(LongStream.range(117, 417).toArray(), arrivals);
  }

  @Test
  void sample_stoppedBeforeItBegan_returnsAtOnce() {
    ArrivalHistory history = new ArrivalHistory(() -> 0, ticker);
    history.stop();
    history.sample();
    assertEquals(Optional.empty(), history.arrivals());
  }
}
