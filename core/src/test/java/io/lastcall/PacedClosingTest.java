package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How fast the clients of long-lived connections are sent away, and so return elsewhere. */
@Timeout(120)
class PacedClosingTest {
  private static final String CLOSER = "lastcall-closer";
  private static final int FEW = 100;

  /** Of many, several are told at each step of the time. */
  private static final Duration STEP = Duration.ofMillis(10);

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  /** When each was told to close, in milliseconds, in order. */
  private final List<Long> told = Collections.synchronizedList(new ArrayList<>());

  /** Its client does not answer, and has a second for that. */
  private LongLivedConnection silent(ManualTicker ticker) {
    return new LongLivedConnection() {
      @Override
      public String kind() {
        return "websocket";
      }

      @Override
      public void close() {
        told.add(ticker.elapsed().toMillis());
      }
    };
  }

  /** Ends the process with so many connections; returns when it exits. */
  private Duration terminate(Harness process, int connections) {
    process.install();
    for (int i = 0; i < connections; i++) {
      process.shutdown().connections().register(silent(process.ticker));
    }
    Harness.join(process.jvm.raise("TERM"));
    Duration turn = process.ticker.awaitParked(CLOSER);
    while (told.size() < connections) {
      Duration step = process.ticker.elapsed().plus(connections > FEW ? STEP : Duration.ZERO);
      process.ticker.advanceTo(turn.compareTo(step) > 0 ? turn : step);
      turn = process.ticker.awaitParked(CLOSER);
    }
    process.ticker.advanceTo(turn);
    assertEquals(new Ending("exit", 0), process.jvm.awaitEnding());
    return process.ticker.elapsed();
  }

  private long window() {
    return told.get(told.size() - 1) - told.get(0);
  }

  private int mostInASecond() {
    int most = 0;
    int from = 0;
    for (int to = 0; to < told.size(); to++) {
      while (told.get(to) - told.get(from) >= 1_000) {
        from++;
      }
      most = Math.max(most, to - from + 1);
    }
    return most;
  }

  @Test
  void tenThousand_closeTimeoutOf5s_returnWithin3s() {
    harness.builder().propagationDelay(Duration.ZERO).closeTimeout(Duration.ofSeconds(5));
    terminate(harness, 10_000);
    assertEquals(3_000, window(), 50);
    assertTrue(mostInASecond() <= 3_500, () -> mostInASecond() + " in a second");
    log.assertLogged(
        "Closing 10000 long-lived connections, for up to 5000 ms; they are told over 3000 ms, 3333"
            + " a second: a longer close-timeout spreads them");
  }

  @Test
  void tenThousand_closeTimeoutOf20s_returnWithin18s() {
    harness.builder().propagationDelay(Duration.ZERO).closeTimeout(Duration.ofSeconds(20));
    terminate(harness, 10_000);
    assertEquals(18_000, window(), 200);
    assertTrue(mostInASecond() <= 600, () -> mostInASecond() + " in a second");
  }

  /** Half of the time is the steps': pools close in it. */
  @Test
  void tenThousand_closeTimeoutOf20sAndAStep_returnWithin8s() {
    harness
        .builder()
        .propagationDelay(Duration.ZERO)
        .closeTimeout(Duration.ofSeconds(20))
        .step(Phase.CLOSE_CONNECTIONS, "pool", context -> {});
    terminate(harness, 10_000);
    assertEquals(8_000, window(), 100);
  }

  @Test
  void few_longCloseTimeout_takeNoLonger() {
    harness.builder().propagationDelay(Duration.ZERO).closeTimeout(Duration.ofSeconds(20));
    Duration took = terminate(harness, FEW);
    assertTrue(window() <= 200, () -> window() + " ms");
    assertTrue(took.compareTo(Duration.ofMillis(1_250)) < 0, took::toString);
    assertFalse(log.text().contains("a longer close-timeout"), log::text);
  }

  @Test
  void tenThousand_graceOf2s_areToldWithinHalfOfWhatThereIs() {
    Harness process = Harness.withGracePeriod("2s");
    process.builder().cleanExitCode(0);
    Duration took = terminate(process, 10_000);
    assertEquals(700, window(), 20);
    assertTrue(took.compareTo(Duration.ofMillis(1_400)) < 0, took::toString);
  }

  /** What is left is told at once, with a second for the last answers. */
  @Test
  void deadlineMovesToEarlier_theLastClientStillHasItsTime() {
    ManualTicker ticker = new ManualTicker();
    AtomicLong end = new AtomicLong(ticker.read() + Duration.ofSeconds(20).toNanos());
    Deadline deadline = Deadline.movable(ticker, end::get);
    ConnectionControl control = new ConnectionControl();
    for (int i = 0; i < 1_000; i++) {
      control.connections().register(silent(ticker));
    }
    Background<Boolean> closing =
        Background.run(() -> control.closeAll(Duration.ofSeconds(18), deadline));
    ticker.awaitParked(closing.thread());
    ticker.advance(Duration.ofMillis(500));
    ticker.awaitParked(closing.thread());
    assertTrue(told.size() < 100, () -> told.size() + " told");
    end.set(ticker.read() + Duration.ofSeconds(2).toNanos());
    LockSupport.unpark(closing.thread());
    ticker.awaitParked(closing.thread());
    ticker.advance(Duration.ofSeconds(1));
    ticker.awaitParked(closing.thread());
    assertEquals(1_000, told.size());
    ticker.advance(Duration.ofSeconds(1));
    assertTrue(closing.result());
  }
}
