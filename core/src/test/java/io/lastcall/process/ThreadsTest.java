package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ThreadsTest {
  private final ManualTicker ticker = new ManualTicker();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Background<Boolean> other =
      Background.run(
          () -> {
            release.await();
            return true;
          });

  @AfterEach
  void releaseOther() {
    release.countDown();
  }

  @Test
  void join_deadlineHasPassed_waitsForNothing() {
    Threads.join(other.thread(), Deadline.after(Duration.ZERO, ticker));
    assertFalse(other.isDone());
  }

  @Test
  void join_interrupted_waitsOnAndRestoresTheInterrupt() {
    Deadline deadline = Deadline.after(Duration.ofMinutes(1), ticker);
    Background<Boolean> joining =
        Background.run(
            () -> {
              Thread.currentThread().interrupt();
              Threads.join(other.thread(), deadline);
              return other.isDone() && Thread.currentThread().isInterrupted();
            });
    Awaitility.await()
        .until(() -> joining.thread().getState() == Thread.State.TIMED_WAITING || joining.isDone());
    release.countDown();
    assertTrue(joining.result());
  }

  @Test
  void join_neverStarted_waitsForNothing() {
    Threads.join(Threads.daemon("unused", () -> {}), Deadline.after(Duration.ofMinutes(1), ticker));
    assertFalse(other.isDone());
  }
}
