package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.RequestGate;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.StepContext;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.StepReport;
import io.lastcall.spi.Extension;
import io.lastcall.spi.ShutdownControl;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An extension learns that SIGKILL comes earlier than declared, that a Pod stays, or goes. */
@Timeout(120)
class ShorteningTest {
  private static final String HALTER = "lastcall-halter";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final Knowing knowing = new Knowing();

  @BeforeEach
  void configure() {
    harness
        .builder()
        .environment(harness.environment, new Properties(), knowing)
        .propagationDelay(Duration.ofSeconds(15))
        .cleanExitCode(0);
  }

  private boolean shorten(int seconds) {
    return shorten(seconds, 0);
  }

  private boolean shorten(int seconds, int waited) {
    Deadline killed = Deadline.after(Duration.ofSeconds(seconds), harness.ticker);
    return knowing.ending().shorten(killed, Duration.ofSeconds(waited), "it was said");
  }

  @Test
  void shorten_whileServingOn_phasesShrinkAndTheRequestIsServed() {
    harness.install();
    TestPermit request = harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    assertTrue(shorten(5));
    ticker().awaitParkedUntil(HALTER, Duration.ofMillis(4_500));
    harness.pass(3_650);
    harness.awaitSequence();
    request.release();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofMillis(3_650), harness.report().took());
    assertTrue(harness.report().plan().isShortened());
    log.assertLogged(
        "SIGKILL comes earlier than declared, it was said: phases are shorter, gone in 4500 ms at"
            + " the latest: grace-period 5s instead of 30s, propagation-delay 3s650ms instead of"
            + " 15s, ");
    log.assertLogged(" reserve 500ms instead of 1s");
  }

  /** Half of the delay of 8 s that is left: without that, half of the responses would say close. */
  @Test
  void shorten_whileServingOn_everyResponseSaysCloseByTheMiddleOfTheShorterDelay() {
    harness.install();
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    assertTrue(shorten(16));
    harness.awaitSequenceUntil(4_250);
    ticker().advanceTo(Duration.ofMillis(4_001));
    for (int response = 0; response < 100; response++) {
      assertTrue(harness.shutdown().gate().shouldCloseConnection());
    }
    harness.pass(4_250);
    harness.pass(8_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void shorten_requestThatNeverEnds_isGivenUpBeforeTheEarlierEnd() {
    harness.install();
    harness.enter("GET /endless");
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    shorten(5);
    harness.pass(3_650);
    harness.pass(4_000);
    harness.pass(4_200);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
  }

  @Test
  void shorten_inDrain_endsItEarlier() {
    harness.builder().propagationDelay(Duration.ZERO);
    harness.install();
    harness.enter("GET /endless");
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    assertTrue(shorten(5));
    harness.pass(3_650);
    harness.pass(3_850);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
  }

  @Test
  void shorten_later_changesNothing() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    assertFalse(shorten(31));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertFalse(harness.report().plan().isShortened());
  }

  @Test
  void shorten_twice_theEarlierCounts() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    assertTrue(shorten(5));
    assertFalse(shorten(10));
    assertTrue(shorten(3));
    assertEquals(Optional.of(Duration.ofSeconds(3)), knowing.ending().killed().map(this::left));
    harness.pass(1_750);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  private Duration left(Deadline deadline) {
    return deadline.remaining();
  }

  @Test
  void shorten_delayHadBegunBefore_servesOnForTheRestOfIt() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    assertTrue(shorten(20, 10));
    harness.pass(1_250);
    harness.pass(5_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void shorten_stepThatRuns_seesItsDeadlineMoveAndIsInterruptedThen() {
    CompletableFuture<StepContext> step = new CompletableFuture<>();
    harness
        .builder()
        .propagationDelay(Duration.ZERO)
        .step(
            Phase.CLOSE_CONNECTIONS,
            "pool",
            context -> {
              step.complete(context);
              Harness.hang();
            });
    harness.terminate();
    Deadline deadline = Harness.result(step).deadline();
    assertEquals(Duration.ofSeconds(28), deadline.remaining());
    harness.awaitSequenceUntil(28_000);
    shorten(5);
    assertEquals(Duration.ofMillis(4_250), deadline.remaining());
    harness.pass(4_250);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(StepReport.Result.TIMED_OUT, harness.step("pool").result());
  }

  @Test
  void shorten_nothingHasBegun_changesNothing() {
    GracefulShutdown shutdown = harness.install();
    Deadline soon = Deadline.after(Duration.ofSeconds(5), harness.ticker);
    assertFalse(Harness.result(knowing.installed).shorten(soon, Duration.ZERO, "it was said"));
    assertEquals(Optional.empty(), Harness.result(knowing.installed).killed());
    assertFalse(shutdown.plan().isShortened());
    shutdown.uninstall();
  }

  @Test
  void shorten_signalBeforeStartUpWasOver_movesTheHalt() {
    harness.builder().awaitStarted();
    harness.jvm.beforeHooks(Harness::hang);
    harness.install();
    harness.jvm.raise("TERM");
    assertTrue(shorten(5));
    ticker().awaitParkedUntil(HALTER, Duration.ofMillis(4_500));
    ticker().advance(Duration.ofMillis(4_500));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  @Test
  void stop_byAnExtension_isAStopSignal() {
    GracefulShutdown shutdown = harness.install();
    Harness.result(knowing.installed).stop("the Pod's deletion");
    assertEquals(
        Optional.of(new Trigger(Trigger.Kind.STOP_SIGNAL, "the Pod's deletion")),
        shutdown.trigger());
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void podStays_readinessFailsAtOnce() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    assertEquals(200, harness.probe("/readyz"));
    knowing.ending().podStays();
    assertEquals(503, harness.probe("/readyz"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void podStays_readinessNeverFails_itStillDoesNot() {
    harness.builder().readinessPolicy(ReadinessPolicy.NEVER);
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    knowing.ending().podStays();
    assertEquals(200, harness.probe("/readyz"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
  }

  /** A scraper that comes straight to the Pod; SequenceTest has what it costs unless known. */
  @Test
  void podIsDeleted_newConnectionsStillCome_isNotHeld() {
    harness.install();
    assertTrue(harness.enter("GET /").release());
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    knowing.ending().podIsDeleted();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    connect(14_900);
    harness.ticker.advanceTo(Duration.ofSeconds(15));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.phase(Phase.FAIL_READINESS).took());
    log.assertLogged("not held for the new connections that come: the Pod is being deleted");
  }

  @Test
  void podIsDeleted_holdIsSet_isHeldAllTheSame() {
    harness.builder().readinessHold(Duration.ofSeconds(3));
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    knowing.ending().podIsDeleted();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    connect(14_900);
    harness.ticker.advanceTo(Duration.ofSeconds(15));
    harness.pass(18_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(3), harness.phase(Phase.FAIL_READINESS).took());
    assertFalse(log.text().contains("not held"), log::text);
  }

  private void connect(long at) {
    harness.ticker.advanceTo(Duration.ofMillis(at));
    RequestGate gate = harness.shutdown().gate();
    gate.cameBy(gate.accepted(null));
    assertTrue(harness.enter("GET /metrics").release());
  }

  /** As by {@code kubectl delete --grace-period=N}, and as a grace period that is declared. */
  @ParameterizedTest
  @MethodSource("shortTimes")
  void shortTime_requestsAreServedAndFinishedUpToItsEnd(int seconds, boolean declared) {
    begin(seconds, declared);
    TestPermit early = harness.enter("GET /early");
    passKeepServing(seconds, declared);
    for (int response = 0; response < 20; response++) {
      assertTrue(harness.shutdown().gate().shouldCloseConnection());
    }
    Duration listenEnd = listenEnd(seconds);
    ticker().awaitParkedUntil("lastcall-sequence", listenEnd);
    ticker().advanceTo(listenEnd.minusMillis(1));
    TestPermit late = harness.enter("GET /late");
    ticker().advanceTo(listenEnd);
    harness.awaitSequenceUntil(end(seconds));
    early.release();
    late.release();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(0, harness.report().requests().refused());
  }

  @ParameterizedTest
  @MethodSource("shortTimes")
  void shortTime_requestThatTakesLonger_isGivenUpHalfASecondBeforeSigkill(
      int seconds, boolean declared) {
    begin(seconds, declared);
    harness.enter("GET /endless");
    passKeepServing(seconds, declared);
    ticker().awaitParkedUntil("lastcall-sequence", listenEnd(seconds));
    ticker().advanceTo(listenEnd(seconds));
    harness.pass(end(seconds));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertTrue(harness.report().took().compareTo(Duration.ofMillis(seconds * 1_000L - 500)) < 0);
  }

  static Stream<Arguments> shortTimes() {
    return IntStream.rangeClosed(2, 15)
        .boxed()
        .flatMap(seconds -> Stream.of(Arguments.of(seconds, true), Arguments.of(seconds, false)));
  }

  private void begin(int seconds, boolean declared) {
    if (declared) {
      // The default, which a process without a server does not have.
      harness
          .builder()
          .gracePeriod(Duration.ofSeconds(seconds))
          .propagationDelay(keepServing(seconds));
    }
    harness.install();
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    if (!declared) {
      harness.awaitSequenceUntil(11_250);
      assertTrue(shorten(seconds));
    }
  }

  /** The last quarter of the delay that was planned is for idle connections. */
  private void passKeepServing(int seconds, boolean declared) {
    Duration end = keepServing(seconds);
    Duration idle = end.minus((declared ? end : Duration.ofSeconds(15)).dividedBy(4));
    if (idle.compareTo(Duration.ZERO) > 0) {
      ticker().awaitParkedUntil("lastcall-sequence", idle);
      ticker().advanceTo(idle);
    }
    ticker().awaitParkedUntil("lastcall-sequence", end);
    ticker().advanceTo(end);
  }

  /** What DRAIN has: a tenth, or half a second, and at most a quarter of what requests have. */
  private static Duration tail(int seconds) {
    Duration quarter = requests(seconds).dividedBy(4);
    Duration tenth = Duration.ofMillis(Math.max(500, seconds * 100L));
    return tenth.compareTo(quarter) < 0 ? tenth : quarter;
  }

  private static Duration keepServing(int seconds) {
    return requests(seconds).minus(tail(seconds));
  }

  /** When listeners close: 200 ms, or half of DRAIN, before its end. */
  private static Duration listenEnd(int seconds) {
    Duration half = tail(seconds).dividedBy(2);
    Duration last = half.toMillis() < 200 ? half : Duration.ofMillis(200);
    return Duration.ofMillis(end(seconds)).minus(last);
  }

  /** What is left of it beside the reserve, closing, and the exit, which has a twentieth. */
  private static Duration requests(int seconds) {
    return Duration.ofMillis(seconds * 1_000L - 600 - Math.max(100, seconds * 50L));
  }

  /** When DRAIN ends where requests have not: it takes half of the time for closing. */
  private static long end(int seconds) {
    return requests(seconds).toMillis() + 50;
  }

  private ManualTicker ticker() {
    return harness.ticker;
  }

  /** It is handed the control. */
  private static final class Knowing implements Extension, Extension.Running {
    final CompletableFuture<ShutdownControl> installed = new CompletableFuture<>();
    private final CompletableFuture<ShutdownControl> ending = new CompletableFuture<>();

    ShutdownControl ending() {
      return Harness.result(ending);
    }

    @Override
    public List<Setting<?>> settings() {
      return List.of();
    }

    @Override
    public Running start(ShutdownPlan plan, Probes probes, Ticker ticker) {
      return this;
    }

    @Override
    public void installed(ShutdownControl control) {
      installed.complete(control);
    }

    @Override
    public void ending(ShutdownControl control) {
      ending.complete(control);
    }

    @Override
    public void close(Deadline deadline) {}
  }
}
