package io.lastcall.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
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
    // k = ceil(40 ln((1 + 100 * 13 / 40) / 0.01)) = ceil(324.6): three and a half seconds of 100.
    assertEquals(Optional.of(Duration.ofMillis(5_250)), silence(40, steady(100)));
  }

  @Test
  void silence_withALullInTheHistory_isLongerThanTheLull() {
    long[] arrivals = steady(100);
    arrivals[100] = 0;
    arrivals[101] = 0;
    // Every window must hold 95: the one with the empty second needs another.
    assertEquals(Optional.of(Duration.ofSeconds(3)), silence(10, arrivals));
  }

  @Test
  void silence_withAVarianceOfEightTimesTheMean_needsEightTimesAsManyConnections() {
    // 30 and 70 in turn: k = ceil(8 * 94.78) = 759; eight seconds always hold 800.
    assertEquals(Optional.of(Duration.ofSeconds(12)), silence(10, alternating(30, 70)));
  }

  @Test
  void silence_inBursts_isNeverEvidence() {
    assertEquals(Optional.empty(), silence(10, alternating(0, 100)));
  }

  @Test
  void dispersion_ofBurstsLongerThanASample_isThatOfTheScaleThatShowsThem() {
    // Blocks of four seconds: in windows of two and more they add up instead of averaging out.
    long[] blocks = new long[2 * ArrivalHistory.SECONDS];
    Arrays.setAll(blocks, half -> half / 8 % 2 == 0 ? 40 : 60);
    assertTrue(SilenceCriterion.dispersion(blocks) > 5, "half a second alone shows 2");
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
    // k = 98: ten seconds, and one and a half times that just fits; k = 104: more, and it does not.
    assertEquals(Optional.of(LONGEST), silence(14, steady(10)));
    assertEquals(Optional.empty(), silence(15, steady(10)));
  }

  /** Minimum 3 s, delay 10 s, 10 routers. */
  @Test
  void silence_ofRandomArrivalsAtSixtyASecond_fitsADelayOfTenSeconds() {
    SplittableRandom random = new SplittableRandom(11);
    long[] arrivals = new long[2 * ArrivalHistory.SECONDS];
    for (int i = 0; i < 60 * ArrivalHistory.SECONDS; i++) {
      arrivals[random.nextInt(arrivals.length)]++;
    }
    Duration range = Duration.ofSeconds(7);
    Optional<Duration> silence =
        new SilenceCriterion(10, range).evidence(traffic(arrivals), range).silence();
    assertTrue(silence.isPresent());
  }

  @Test
  void leastRate_isAboutTheLeastAtWhichSomeSilenceIsEvidence() {
    for (int seconds : new int[] {2, 7, 15}) {
      SilenceCriterion criterion = new SilenceCriterion(10, RANGE);
      Duration longest = Duration.ofSeconds(seconds);
      long rate = criterion.leastRate(longest).orElseThrow();
      assertTrue(
          criterion.evidence(traffic(steady(rate + 1)), longest).silence().isPresent(),
          () -> "at " + rate);
      assertEquals(
          Optional.empty(), criterion.evidence(traffic(steady(rate - 1)), longest).silence());
    }
  }

  @Test
  void evidence_requestsOnUnknownConnections_isNone() {
    long[] connections = steady(100);
    RecentTraffic traffic =
        new RecentTraffic(connections, steady(200), traffic(connections).clients());
    Evidence evidence = new SilenceCriterion(3, RANGE).evidence(traffic, LONGEST);
    assertEquals(
        new Evidence(Optional.empty(), "the connections of 50 % of the requests are not known"),
        evidence);
  }

  /** A proxy that keeps its connections is no less a router than those whose connections come. */
  @Test
  void evidence_proxyThatPauses_isNoneAndNamesIt() {
    long[] pauses = new long[2 * ArrivalHistory.SECONDS];
    Arrays.setAll(pauses, half -> half % 40 < 4 ? 250 : 0);
    Evidence evidence = evidenceBeside(pauses);
    assertEquals(Optional.empty(), evidence.silence());
    assertEquals(
        "33 % of the requests come from 10.0.0.9, whose pauses are too long for a silence of up to"
            + " 15000 ms: it may be a proxy that keeps its connections",
        evidence.words());
    assertTrue(proxySeen.get());
  }

  @Test
  void evidence_proxyWithShortPauses_isASilenceLongerThanThese() {
    long[] pauses = new long[2 * ArrivalHistory.SECONDS];
    Arrays.setAll(pauses, half -> half % 8 == 0 ? 200 : 0);
    assertEquals(Optional.of(Duration.ofSeconds(6)), evidenceBeside(pauses).silence());
    assertTrue(proxySeen.get());
  }

  /** A client whose share is too small for a router may pause as it likes. */
  @Test
  void evidence_smallClientThatPauses_changesNothing() {
    long[] pauses = new long[2 * ArrivalHistory.SECONDS];
    Arrays.setAll(pauses, half -> half % 40 < 4 ? 40 : 0);
    assertEquals(Optional.of(Duration.ofMillis(1_500)), evidenceBeside(pauses).silence());
    assertFalse(proxySeen.get());
  }

  private final AtomicBoolean proxySeen = new AtomicBoolean();

  /** From three routers, and {@code requests} from one address on connections that it keeps. */
  private Evidence evidenceBeside(long[] requests) {
    long[] connections = steady(100);
    List<RecentTraffic.Client> clients = new ArrayList<>(traffic(connections).clients());
    Optional<InetAddress> address = Optional.of(History.address(9).getAddress());
    clients.add(new RecentTraffic.Client(address, requests, () -> proxySeen.set(true)));
    long[] all = new long[connections.length];
    Arrays.setAll(all, half -> connections[half] + requests[half]);
    return new SilenceCriterion(3, RANGE)
        .evidence(new RecentTraffic(connections, all, clients), LONGEST);
  }

  @Test
  void leastRate_whereNotEvenTheShortestSilenceFits_isNone() {
    assertEquals(
        OptionalLong.empty(),
        new SilenceCriterion(1, RANGE).leastRate(SilenceCriterion.SHORTEST.minusMillis(1)));
  }

  private static Optional<Duration> silence(int routers, long[] connections) {
    return new SilenceCriterion(routers, RANGE).evidence(traffic(connections), LONGEST).silence();
  }

  /** Each request by a connection of its own, from many clients in turn. */
  private static RecentTraffic traffic(long[] connections) {
    List<RecentTraffic.Client> clients = new ArrayList<>();
    for (int client = 0; client < 600; client++) {
      int turn = client;
      long[] own = new long[connections.length];
      Arrays.setAll(own, half -> half == turn ? connections[half] : 0);
      clients.add(new RecentTraffic.Client(Optional.empty(), own, () -> {}));
    }
    return new RecentTraffic(connections, connections, clients);
  }

  private static long[] alternating(long even, long odd) {
    long[] arrivals = new long[2 * ArrivalHistory.SECONDS];
    Arrays.setAll(arrivals, half -> half % 2 == 0 ? even : odd);
    return arrivals;
  }

  private static long[] steady(long perSecond) {
    long[] arrivals = new long[2 * ArrivalHistory.SECONDS];
    Arrays.setAll(arrivals, half -> half % 2 == 0 ? perSecond / 2 : perSecond - perSecond / 2);
    return arrivals;
  }
}
