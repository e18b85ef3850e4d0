package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.CapturedLog;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.propagation.History;
import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Minimum 3 s, maximum 15 s; at 100 requests a second silence counts after 1.5 s. */
@Timeout(120)
class PropagationWaitTest {
  @SuppressWarnings("UnnecessaryLambda") // the name says what it is
  private static final IntToLongFunction BUSY = second -> 100;

  private static final Optional<Duration> EVIDENCE = Optional.of(Duration.ofMillis(1_500));

  @RegisterExtension final CapturedLog log = new CapturedLog();

  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "KUBERNETES_SERVICE_HOST", "10.0.0.1",
              "LASTCALL_PROPAGATION_MINIMUM", "3s",
              "LASTCALL_PROPAGATION_DELAY", "15s"));
  private final ManualTicker ticker = new ManualTicker();
  private final GateControl gate = new GateControl(ticker);

  private Optional<PropagationWait> wait = Optional.empty();
  private Deadline start = Deadline.after(Duration.ZERO, ticker);

  @Test
  void await_nobodyComes_endsAfterTheMinimumAndTheSilence() {
    Background<Optional<Duration>> end = begin(300, BUSY);
    passTo(end, 4_500);
    assertEquals(EVIDENCE, end.result());
  }

  @Test
  void await_silentFromTheTrigger_countsOnlyFromWhenEveryResponseSaysClose() {
    Background<Optional<Duration>> end = begin(300, BUSY);
    // The ramp ends at 3 s: 4.499 s of silence until then and after it are not 1.5 s behind it.
    assertParkedUntil(end, 4_500);
    advanceTo(4_499);
    assertFalse(end.isDone());
    advanceTo(4_500);
    assertEquals(EVIDENCE, end.result());
  }

  @Test
  void await_arrivals_moveTheSilence() {
    Background<Optional<Duration>> end = begin(300, BUSY);
    assertParkedUntil(end, 4_500);
    arriveAt(4_000);
    advanceTo(4_500);
    assertParkedUntil(end, 5_500);
    arriveAt(5_499);
    advanceTo(5_500);
    passTo(end, 6_999);
    assertEquals(EVIDENCE, end.result());
  }

  /** A client that kept its connection says nothing about routers. */
  @Test
  void await_requestsOnAnOlderConnection_moveNothing() {
    AcceptedConnection older = gate.gate().accepted(History.address(7));
    Background<Optional<Duration>> end = begin(300, BUSY);
    assertParkedUntil(end, 4_500);
    requestAt(4_000, older);
    passTo(end, 4_500);
    assertEquals(EVIDENCE, end.result());
  }

  /** One client sends half of the requests, on one connection: it may be a proxy. */
  @Test
  void await_requestsOfAProxyOnAnOlderConnection_moveTheSilence() {
    gate.observeArrivals();
    AcceptedConnection proxy = gate.gate().accepted(History.address(1_000));
    Background<Optional<Duration>> end =
        begin(
            History.ofHalves(
                gate,
                ticker,
                300,
                half -> {
                  for (int i = 0; i < 50; i++) {
                    History.request(gate, gate.gate().accepted(History.address(i)));
                    History.request(gate, proxy);
                  }
                }));
    assertParkedUntil(end, 4_500);
    requestAt(4_000, proxy);
    advanceTo(4_500);
    passTo(end, 5_500);
    assertEquals(EVIDENCE, end.result());
  }

  @Test
  void await_arrivalDuringTheRamp_movesNothing() {
    Background<Optional<Duration>> end = begin(300, BUSY);
    assertParkedUntil(end, 4_500);
    arriveAt(2_999);
    passTo(end, 4_500);
    assertEquals(EVIDENCE, end.result());
  }

  @Test
  void await_minimumBeyondTheSilence_isNeverCutShort() {
    environment.put("LASTCALL_PROPAGATION_MINIMUM", "11s");
    Background<Optional<Duration>> end = begin(300, BUSY);
    // The ramp is half the window, 7.5 s; silence since then would count from 9 s on.
    assertParkedUntil(end, 11_000);
    passTo(end, 11_000);
    assertEquals(EVIDENCE, end.result());
  }

  @Test
  void await_somebodyAlwaysComes_waitsTheMaximum() {
    Background<Optional<Duration>> end = begin(300, BUSY);
    for (int millis = 1_000; millis < 15_000; millis += 1_000) {
      arriveAt(millis);
    }
    assertFalse(end.isDone());
    advanceTo(15_000);
    assertEquals(Optional.empty(), end.result());
  }

  @Test
  void begin_evidence_saysHowMuch() {
    begin(300, BUSY);
    log.assertLogged(
        "KEEP_SERVING may end after 1500 ms of silence, which is evidence at 100.0 new connections a"
            + " second from 10 routers");
  }

  @Test
  void await_lowTraffic_waitsTheMaximumHoweverSilentAndSaysWhatWouldDo() {
    Background<Optional<Duration>> end = begin(300, second -> 1);
    passTo(end, 15_000);
    assertEquals(Optional.empty(), end.result());
    log.assertLogged(
        "KEEP_SERVING waits its full time: at 1.0 new connections a second from 10 routers no silence of"
            + " up to 12000 ms is evidence; some 9 a second would do, if they are steady");
  }

  @Test
  void begin_bursts_areNamed() {
    begin(300, second -> second % 2 == 0 ? 0 : 40);
    log.assertLogged(
        "at 20.0 new connections a second in bursts of some 10 from 10 routers no silence");
  }

  @Test
  void await_tooLittleHistory_waitsTheMaximumAndSaysSo() {
    Background<Optional<Duration>> end = begin(299, BUSY);
    passTo(end, 15_000);
    assertEquals(Optional.empty(), end.result());
    log.assertLogged(
        "KEEP_SERVING waits its full time: silence is evidence only against the traffic of 300 s, and"
            + " there are 299 s of it");
  }

  @Test
  void await_fixed_waitsTheMaximum() {
    environment.remove("LASTCALL_PROPAGATION_MINIMUM");
    Background<Optional<Duration>> end = begin(300, BUSY);
    passTo(end, 15_000);
    assertEquals(Optional.empty(), end.result());
  }

  @Test
  void await_preStopHasWaited_shortensMinimumAndMaximumByIt() {
    environment.put("LASTCALL_PRE_STOP_DELAY", "1s");
    Background<Optional<Duration>> end = begin(300, BUSY);
    // The minimum, and with it the ramp, is 2 s now.
    passTo(end, 3_500);
    assertEquals(EVIDENCE, end.result());
  }

  @Test
  void await_preStopHasWaitedTheMinimum_stillSpreadsTheCloseOverASecond() {
    environment.put("LASTCALL_PRE_STOP_DELAY", "5s");
    Background<Optional<Duration>> end = begin(300, BUSY);
    assertEquals(Duration.ofSeconds(1), wait.orElseThrow().closeRamp());
    passTo(end, 2_500);
    assertEquals(EVIDENCE, end.result());
  }

  @Test
  void closeRamp_fixed_isHalfTheWindow() {
    environment.remove("LASTCALL_PROPAGATION_MINIMUM");
    assertEquals(Duration.ofMillis(7_500), waitOf(History.of(gate, ticker, 0, BUSY)).closeRamp());
  }

  @Test
  void closeRamp_adaptive_isTheMinimumButAtMostHalfTheWindow() {
    assertEquals(Duration.ofSeconds(3), waitOf(History.of(gate, ticker, 0, BUSY)).closeRamp());
    environment.put("LASTCALL_PROPAGATION_DELAY", "4s");
    assertEquals(Duration.ofSeconds(2), waitOf(History.of(gate, ticker, 0, BUSY)).closeRamp());
    environment.put("LASTCALL_PRE_STOP_DELAY", "4s");
    assertEquals(Duration.ZERO, waitOf(History.of(gate, ticker, 0, BUSY)).closeRamp());
  }

  /** Begins to wait after {@code seconds} of history. */
  private Background<Optional<Duration>> begin(int seconds, IntToLongFunction arrivals) {
    return begin(History.of(gate, ticker, seconds, arrivals));
  }

  private Background<Optional<Duration>> begin(ArrivalHistory history) {
    start = Deadline.after(Duration.ZERO, ticker);
    PropagationWait waiting = waitOf(history);
    wait = Optional.of(waiting);
    gate.leave(waiting.closeRamp());
    waiting.begin();
    Deadline end = start.plus(plan().keepServing());
    return Background.run(() -> waiting.await(end));
  }

  private PropagationWait waitOf(ArrivalHistory history) {
    return new PropagationWait(
        new Budget(this::plan, Kind.STOP_SIGNAL, start, true, true), gate, history);
  }

  private ShutdownPlan plan() {
    return ShutdownPlan.of(new SettingSources(environment, new Properties()));
  }

  private void arriveAt(long millis) {
    requestAt(millis, gate.gate().accepted(History.address(7)));
  }

  private void requestAt(long millis, AcceptedConnection connection) {
    advanceTo(millis);
    History.request(gate, connection);
  }

  private void passTo(Background<?> waiting, long millis) {
    assertParkedUntil(waiting, millis);
    advanceTo(millis);
  }

  private void assertParkedUntil(Background<?> waiting, long millis) {
    Duration until = ticker.awaitParked(waiting.thread());
    Duration trigger = ticker.elapsed().minus(start.elapsed());
    assertEquals(Duration.ofMillis(millis), until.minus(trigger));
  }

  private void advanceTo(long millis) {
    ticker.advance(Duration.ofMillis(millis).minus(start.elapsed()));
  }
}
