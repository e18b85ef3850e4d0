package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HalterTest {
  private static final String HALTER = "lastcall-halter";

  private final ManualTicker ticker = new ManualTicker();
  private final FakeJvm jvm = new FakeJvm();

  private Halter started(Jvm onJvm) {
    Halter halter = new Halter(onJvm, ticker, 81);
    halter.start();
    return halter;
  }

  private long in(int seconds) {
    return ticker.read() + Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void arm_deadlinePasses_haltsWithTheCode() {
    started(jvm).arm(in(29));
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(29));
    assertTrue(jvm.runs());
    ticker.advance(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), jvm.awaitEnding());
  }

  @Test
  void arm_deadlineIsPast_haltsAtOnce() {
    started(jvm).arm(in(-1));
    assertEquals(new Ending("halt", 81), jvm.awaitEnding());
  }

  @Test
  void arm_twice_theFirstCounts() {
    Halter halter = started(jvm);
    halter.arm(in(5));
    halter.arm(in(60));
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(5));
    assertTrue(jvm.runs());
  }

  @Test
  void shorten_armed_haltsAtTheEarlierTimeAndNeverLater() {
    Halter halter = started(jvm);
    halter.arm(in(29));
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(29));
    halter.shorten(in(4));
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(4));
    halter.shorten(in(60));
    ticker.advance(Duration.ofSeconds(4));
    assertEquals(new Ending("halt", 81), jvm.awaitEnding());
  }

  @Test
  void shorten_notArmed_changesNothing() {
    Halter halter = started(jvm);
    halter.shorten(in(-1));
    halter.arm(in(5));
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(5));
    assertTrue(jvm.runs());
  }

  @Test
  void halt_throws_isTriedAgainWhateverIsThrown() {
    AtomicInteger attempts = new AtomicInteger();
    Jvm failing =
        new ForwardingJvm(jvm) {
          @Override
          public void halt(int code) {
            switch (attempts.incrementAndGet()) {
              case 1 -> throw new OutOfMemoryError("heap");
              case 2 -> throw new StackOverflowError();
              case 3 -> throw new IllegalStateException("odd");
              default -> super.halt(code);
            }
          }
        };
    started(failing).arm(in(0));
    assertEquals(new Ending("halt", 81), jvm.awaitEnding());
    assertEquals(4, attempts.get());
  }

  @Test
  void guard_interrupted_staysOnGuard() {
    Halter halter = started(jvm);
    halter.arm(in(5));
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(5));
    halterThread().ifPresent(Thread::interrupt);
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(5));
    ticker.advance(Duration.ofSeconds(5));
    assertEquals(new Ending("halt", 81), jvm.awaitEnding());
  }

  @Test
  void stop_notArmed_endsTheThread() {
    Halter halter = started(jvm);
    Thread thread = halterThread().orElseThrow();
    halter.stop();
    Awaitility.await().until(() -> !thread.isAlive());
    assertTrue(jvm.runs());
  }

  @Test
  void stop_armed_haltsAllTheSame() {
    Halter halter = started(jvm);
    halter.arm(in(5));
    halter.stop();
    ticker.awaitParkedUntil(HALTER, Duration.ofSeconds(5));
    ticker.advance(Duration.ofSeconds(5));
    assertEquals(new Ending("halt", 81), jvm.awaitEnding());
  }

  /** The youngest halter: the others are of tests before. */
  private static Optional<Thread> halterThread() {
    return Threads.alive().stream()
        .filter(thread -> thread.getName().equals(HALTER))
        .max((a, b) -> Long.compare(a.getId(), b.getId()));
  }
}
