package io.lastcall.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeSeriesTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Deadline start = new Deadline(ticker, ticker.read());
  private final TimeSeries series = TimeSeries.over(start, Duration.ofSeconds(1));

  @Test
  void add_countsInTheIntervalOfNow() {
    series.add();
    series.add();
    ticker.advance(Duration.ofMillis(199));
    series.add();
    ticker.advance(Duration.ofMillis(1));
    assertEquals(List.of(2, 1, 0), series.values(series.now()));
  }

  @Test
  void add_behindTheHorizon_countsInTheLastInterval() {
    ticker.advance(Duration.ofSeconds(7));
    series.add();
    assertEquals(List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 1), series.values(series.now()));
  }

  @Test
  void sample_afterAGap_repeatsTheLastOne() {
    series.sample(5);
    ticker.advance(Duration.ofMillis(300));
    series.sample(2);
    assertEquals(List.of(5, 5, 5, 2), series.values(series.now()));
  }

  @Test
  void values_anIntervalHasBegunSinceTheLastSample_repeatTheLastOne() {
    ticker.advance(Duration.ofMillis(99));
    series.sample(5);
    ticker.advance(Duration.ofMillis(2));
    assertEquals(List.of(5, 5), series.values(series.now()));
  }

  @Test
  void over_anHour_hasSixHundredIntervals() {
    TimeSeries hour = TimeSeries.over(start, Duration.ofHours(1));
    ticker.advance(Duration.ofHours(2));
    assertEquals(Duration.ofSeconds(6), hour.interval());
    assertEquals(600, hour.values(hour.now()).size());
  }

  @Test
  void next_isTheEndOfTheInterval_evenBehindTheHorizon() {
    ticker.advance(Duration.ofMillis(50));
    assertEquals(Duration.ofMillis(50), series.next().remaining());
    ticker.advance(Duration.ofSeconds(5));
    assertEquals(Duration.ofMillis(50), series.next().remaining());
  }
}
