package io.lastcall.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
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
    arrivals[100] = 0;
    // Every window must hold 95: the one with the empty second needs another.
    assertEquals(Optional.of(Duration.ofSeconds(3)), silence(10, arrivals));
  }

  @Test
  void silence_withAVarianceOfFourTimesTheMean_needsFourTimesAsManyRequests() {
    // 80 and 120 in turn: k = ceil(4 * 94.78) = 380; two seconds always hold 200.
    assertEquals(Optional.of(Duration.ofSeconds(6)), silence(10, alternating(80, 120)));
  }

  @Test
  void silence_inBursts_isNeverEvidence() {
    assertEquals(Optional.empty(), silence(10, alternating(0, 200)));
  }

  @Test
  void dispersion_ofBurstsLongerThanASecond_isThatOfTheScaleThatShowsThem() {
    // Blocks of four seconds: in windows of four and more they add up instead of averaging out.
    long[] blocks = new long[ArrivalHistory.SECONDS];
    Arrays.setAll(blocks, second -> second / 4 % 2 == 0 ? 80 : 120);
    assertTrue(SilenceCriterion.dispersion(blocks) > 5, "a second alone shows 4, four show 6");
    assertEquals(1, SilenceCriterion.dispersion(steady(100)));
    assertEquals(1, SilenceCriterion.dispersion(steady(0)));
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
    // k = 98: ten seconds, and one and a half times that just fits; k = 104: eleven, and it does
    // not.
    assertEquals(Optional.of(LONGEST), silence(14, steady(10)));
    assertEquals(Optional.empty(), silence(15, steady(10)));
  }

  /** Minimum 3 s, delay 10 s, 10 routers. */
  @Test
  void silence_ofRandomArrivalsAtSixtyASecond_fitsADelayOfTenSeconds() {
    SplittableRandom random = new SplittableRandom(11);
    long[] arrivals = new long[ArrivalHistory.SECONDS];
    for (int i = 0; i < 60 * arrivals.length; i++) {
      arrivals[random.nextInt(arrivals.length)]++;
    }
    Duration range = Duration.ofSeconds(7);
    Optional<Duration> silence = new SilenceCriterion(10, range).silence(arrivals, range);
    assertTrue(silence.isPresent());
  }

  @Test
  void leastRate_isTheLeastAtWhichSomeSilenceIsEvidence() {
    for (int seconds : new int[] {2, 7, 15}) {
      SilenceCriterion criterion = new SilenceCriterion(10, RANGE);
      Duration longest = Duration.ofSeconds(seconds);
      long rate = criterion.leastRate(longest).orElseThrow();
      assertTrue(criterion.silence(steady(rate), longest).isPresent(), () -> "at " + rate);
      assertEquals(Optional.empty(), criterion.silence(steady(rate - 1), longest));
    }
  }

  @Test
  void leastRate_whereNotEvenTheShortestSilenceFits_isNone() {
    assertEquals(
        OptionalLong.empty(),
        new SilenceCriterion(1, RANGE).leastRate(SilenceCriterion.SHORTEST.minusMillis(1)));
  }

  private static Optional<Duration> silence(int routers, long[] arrivals) {
    return new SilenceCriterion(routers, RANGE).silence(arrivals, LONGEST);
  }

  private static long[] alternating(long even, long odd) {
    long[] arrivals = new long[ArrivalHistory.SECONDS];
    Arrays.setAll(arrivals, second -> second % 2 == 0 ? even : odd);
    return arrivals;
  }

  private static long[] steady(long perSecond) {
    long[] arrivals = new long[ArrivalHistory.SECONDS];
    Arrays.fill(arrivals, perSecond);
    return arrivals;
  }
}
