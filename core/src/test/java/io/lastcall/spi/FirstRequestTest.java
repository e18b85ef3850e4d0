package io.lastcall.spi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FirstRequestTest {
  private static final Duration INSTANT = Duration.ofNanos(1);

  private final ManualTicker ticker = new ManualTicker();
  private final FirstRequest first = new FirstRequest(FirstRequest.PATIENCE, ticker);

  @Test
  void isAwaited_untilThePatienceEnds() {
    ticker.advance(FirstRequest.PATIENCE.minus(INSTANT));
    assertTrue(first.isAwaited());
    ticker.advance(INSTANT);
    assertFalse(first.isAwaited());
  }

  @Test
  void awaitAnew_overdue_isAwaitedForTheWholePatience() {
    ticker.advance(FirstRequest.PATIENCE);
    first.awaitAnew();
    ticker.advance(FirstRequest.PATIENCE.minus(INSTANT));
    assertTrue(first.isAwaited());
    ticker.advance(INSTANT);
    assertFalse(first.isAwaited());
  }

  @Test
  void arrived_isAwaitedNoMore() {
    first.arrived();
    assertFalse(first.isAwaited());
    first.awaitAnew();
    assertFalse(first.isAwaited());
  }
}
