package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ManualTicker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(120)
class CollectionStopTest {
  private static final String THREAD = "lastcall-halt-aid";
  private static final Duration HALT = Duration.ofSeconds(30);
  private static final Duration WATCHED = HALT.minus(CollectionStop.WATCH);
  private static final Duration POLLED = WATCHED.plus(CollectionStop.POLL);

  private static final Duration STOPPED = HALT.minus(CollectionStop.LEAD);

  private final ManualTicker ticker = new ManualTicker();
  private final AtomicBoolean full = new AtomicBoolean();
  private final HaltAid aid = new HaltAid(ticker, halt -> new CollectionStop(full::get));

  private void arm() {
    aid.start();
    aid.arm(ticker.read() + HALT.toNanos(), 81);
    ticker.awaitParkedUntil(THREAD, WATCHED);
  }

  @AfterEach
  void end() {
    aid.stop();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> aid.threadState() == Thread.State.TERMINATED);
    assertTrue(collects());
  }

  private static boolean collects() {
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    System.gc();
    return garbage.refersTo(null);
  }

  @Test
  @EnabledForJreRange(
      max = JRE.JAVA_21,
      disabledReason = "later ones collect beside a critical region, or wait for its end")
  void help_heapStaysFullBehindACollection_stopsCollectionsAheadOfTheHalt() {
    full.set(true);
    arm();
    ticker.advance(WATCHED);
    ticker.awaitParkedUntil(THREAD, POLLED);
    assertTrue(collects());
    ticker.advance(CollectionStop.POLL);
    ticker.awaitParkedUntil(THREAD, STOPPED);
    assertTrue(collects());
    ticker.advance(STOPPED.minus(POLLED));
    Awaitility.await().until(() -> !collects());
  }

  @Test
  void help_heapWasFullOfGarbage_goesOnToCollect() {
    full.set(true);
    arm();
    ticker.advance(WATCHED);
    ticker.awaitParkedUntil(THREAD, POLLED);
    assertTrue(collects());
    full.set(false);
    ticker.advance(CollectionStop.POLL);
    ticker.awaitParkedUntil(THREAD, POLLED.plus(CollectionStop.POLL));
    full.set(true);
    ticker.advance(HALT);
    ticker.awaitParkedUntil(THREAD, POLLED.plus(CollectionStop.POLL).plus(HALT));
    assertTrue(collects());
  }

  @Test
  void help_heapIsNotFull_looksAgainAndCollects() {
    arm();
    ticker.advance(WATCHED);
    ticker.awaitParkedUntil(THREAD, POLLED);
    ticker.advance(HALT);
    ticker.awaitParkedUntil(THREAD, POLLED.plus(HALT));
    assertTrue(collects());
  }

  @Test
  void stop_beforeTheHalt_endsTheThread() {
    arm();
    assertTrue(collects());
  }
}
