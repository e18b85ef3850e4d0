package io.lastcall.propagation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.testing.ManualTicker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ArrivalHistoryTest {
  private final ManualTicker ticker = new ManualTicker();
  private final GateControl gate = new GateControl(ticker);

  @Test
  void recent_aSecondShortOfTheWholeHistory_isEmpty() {
    assertEquals(Optional.empty(), History.of(gate, ticker, 299, second -> 7L).recent());
  }

  @Test
  void recent_overTheWholeHistory_isOfEachHalfSecondOldestFirst() {
    RecentTraffic recent = recent(300, second -> 2L * second);
    assertArrayEquals(halves(0), recent.connections());
    assertArrayEquals(halves(0), recent.requests());
    assertEquals(0, recent.unknown());
  }

  @Test
  void recent_afterMoreThanTheHistory_isTheLastFiveMinutes() {
    assertArrayEquals(halves(117), recent(417, second -> 2L * second).connections());
  }

  private static long[] halves(long first) {
    return LongStream.range(0, 600).map(half -> first + half / 2).toArray();
  }

  @Test
  void recent_requestsOnConnectionsThatAreKept_areTheirClients() {
    gate.observeArrivals();
    AcceptedConnection kept = gate.gate().accepted(History.address(1));
    RecentTraffic recent =
        History.ofHalves(gate, ticker, 300, half -> History.request(gate, kept))
            .recent()
            .orElseThrow();
    assertEquals(1, LongStream.of(recent.connections()).sum());
    assertEquals(600, LongStream.of(recent.requests()).sum());
    assertEquals(
        List.of(Optional.of(History.address(1).getAddress())),
        recent.clients().stream().map(RecentTraffic.Client::address).toList());
    assertEquals(600, LongStream.of(recent.clients().get(0).requests()).sum());
  }

  /** As of an adapter that does not know its connections, or one from before the observation. */
  @Test
  void recent_requestsOnConnectionsThatNobodyKnows_areUnknown() {
    AcceptedConnection before = gate.gate().accepted(History.address(1));
    AtomicInteger client = new AtomicInteger();
    RecentTraffic recent =
        History.ofHalves(
                gate,
                ticker,
                300,
                half -> {
                  History.request(gate, before);
                  History.request(
                      gate, gate.gate().accepted(History.address(client.getAndIncrement())));
                })
            .recent()
            .orElseThrow();
    assertEquals(0.5, recent.unknown());
    assertEquals(600, LongStream.of(recent.connections()).sum());
  }

  /** A client that was silent for five minutes is forgotten, and counted anew when it returns. */
  @Test
  void recent_clientReturnsAfterFiveMinutes_isKnownAgain() {
    gate.observeArrivals();
    AcceptedConnection kept = gate.gate().accepted(History.address(1));
    RecentTraffic recent =
        History.ofHalves(
                gate,
                ticker,
                310,
                half -> {
                  if (half == 0 || half > 602) {
                    History.request(gate, kept);
                  }
                })
            .recent()
            .orElseThrow();
    assertEquals(0, LongStream.of(recent.connections()).sum());
    assertEquals(17, LongStream.of(recent.clients().get(0).requests()).sum());
    assertEquals(0, recent.unknown());
  }

  /** Of very many addresses the busiest are kept: those that may be a router's. */
  @Test
  void recent_ofVeryManyClients_hasTheBusiest() {
    AtomicInteger client = new AtomicInteger(1);
    gate.observeArrivals();
    AcceptedConnection proxy = gate.gate().accepted(History.address(0));
    RecentTraffic recent =
        History.ofHalves(
                gate,
                ticker,
                300,
                half -> {
                  for (int i = 0; i < 20; i++) {
                    History.request(gate, proxy);
                    History.request(
                        gate, gate.gate().accepted(History.address(client.getAndIncrement())));
                  }
                })
            .recent()
            .orElseThrow();
    assertTrue(recent.clients().size() <= 2 * ArrivalHistory.MOST_CLIENTS);
    assertTrue(gate.arrivals().clients().size() <= 2 * ArrivalHistory.MOST_CLIENTS);
    assertTrue(
        recent.clients().stream().anyMatch(each -> LongStream.of(each.requests()).sum() == 12_000));
  }

  private RecentTraffic recent(int seconds, IntToLongFunction arrivals) {
    return History.of(gate, ticker, seconds, arrivals).recent().orElseThrow();
  }

  @Test
  void sample_stoppedBeforeItBegan_returnsAtOnce() {
    ArrivalHistory history = new ArrivalHistory(() -> 0, gate.arrivals(), ticker);
    history.stop();
    history.sample();
    assertEquals(Optional.empty(), history.recent());
  }
}
