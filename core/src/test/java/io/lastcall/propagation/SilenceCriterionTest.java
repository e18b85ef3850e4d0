package io.lastcall.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SilenceCriterionTest {
  private static final Duration RANGE = Duration.ofSeconds(13);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  @Test
  void silence_atASteadyRate_isOneAndAHalfTimesTheWindowThatHoldsK() {
    // k = ceil(10 ln((1 + 100 * 13 / 10) / 0.01)) = ceil(94.78) = 95: one second of 100 holds it.
    assertEquals(Optional.of(Duration.ofMillis(1_500)), silence(10, steady(100)));
  }

  @Test
  void silence_withMoreRouters_isLonger() {
    // k = ceil(40 ln((1 + 100 * 13 / 40) / 0.01)) = ceil(324.6): four seconds of 100.
    assertEquals(Optional.of(Duration.ofSeconds(6)), silence(40, steady(100)));
  }

  @Test
  void silence_withALullInTheHistory_isLongerThanTheLull() {
    long[] arrivals = steady(100);
    Arrays.fill(arrivals, 100, 105, 0);
    // Every window must hold 95: the one with all five empty seconds needs a sixth.
    assertEquals(Optional.of(Duration.ofSeconds(9)), silence(10, arrivals));
  }

  @Test
  void silence_atLowTraffic_isNeverEvidence() {
    assertEquals(Optional.empty(), silence(10, steady(1)));
  }

  @Test
  void silence_withoutTraffic_isNeverEvidence() {
    assertEquals(Optional.empty(), silence(1, steady(0)));
  }

  @Test
  void silence_thatDoesNotFitTheMaximum_isNotEvidence() {
    // The window of 11 s fits, one and a half times that does not.
    long[] arrivals = steady(100);
    Arrays.fill(arrivals, 100, 110, 0);
    assertEquals(Optional.empty(), silence(10, arrivals));
  }

  private static Optional<Duration> silence(int routers, long[] arrivals) {
    return new SilenceCriterion(routers, 0.01, RANGE).silence(arrivals, LONGEST);
  }

  private static long[] steady(long perSecond) {
    long[] arrivals = new long[ArrivalHistory.SECONDS];
    Arrays.fill(arrivals, perSecond);
    return arrivals;
  }
}
