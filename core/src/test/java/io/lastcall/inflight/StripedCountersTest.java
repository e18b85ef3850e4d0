package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripedCountersTest {

  @ParameterizedTest
  @CsvSource({"0, 4", "1, 4", "2, 8", "3, 16", "5, 32", "16, 64", "17, 64", "256, 64"})
  void stripes_forProcessors_areFourTimesAsAPowerOfTwoAndAtMost64(int processors, int stripes) {
    StripedCounters counters = new StripedCounters(processors);
    assertEquals(stripes, counters.stripes());
    assertTrue(counters.stripe() >= 0 && counters.stripe() < stripes);
  }

  @Test
  void stripe_consecutiveThreads_spread() {
    StripedCounters counters = new StripedCounters(4);
    List<Integer> stripes = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      stripes.add(Background.run(counters::stripe).result());
    }
    assertTrue(stripes.stream().distinct().count() >= 4, stripes::toString);
  }

  @Test
  void idle_everyStripe_isSeenByTheScan() {
    StripedCounters counters = new StripedCounters(2);
    for (int stripe = 0; stripe < counters.stripes(); stripe++) {
      counters.start(stripe);
      assertFalse(counters.idle());
      assertFalse(counters.idle(stripe));
      counters.finish(stripe);
      assertTrue(counters.idle());
      assertTrue(counters.idle(stripe));
    }
    assertEquals(counters.stripes(), counters.sumStarted());
    assertEquals(counters.stripes(), counters.sumFinished());
  }

  @Test
  void idle_whileSomeoneIsAlwaysIn_isNeverFalselySeen() {
    StripedCounters counters = new StripedCounters(2);
    int rounds = 200_000;
    counters.start(0);
    // Two visitors hand over to each other: at every instant at least one is in.
    Background<Boolean> visitors =
        Background.run(
            () -> {
              int in = 0;
              for (int i = 0; i < rounds; i++) {
                int next = (in + 1 + i % 5) % counters.stripes();
                counters.start(next);
                counters.finish(in);
                in = next;
              }
              return true;
            });
    boolean idle = false;
    while (!visitors.isDone()) {
      idle |= counters.idle();
    }
    assertTrue(visitors.result());
    assertFalse(idle);
    assertEquals(1, counters.sumStarted() - counters.sumFinished());
  }
}
