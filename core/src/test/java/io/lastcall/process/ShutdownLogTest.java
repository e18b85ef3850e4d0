package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ShutdownLogTest {
  private static final String LOG = "lastcall-log";

  private final List<String> written = new CopyOnWriteArrayList<>();

  private static boolean flush() {
    return ShutdownLog.flush(Deadline.after(Duration.ofSeconds(30), Ticker.system()));
  }

  @Test
  void write_severalLines_areWrittenInOrder() {
    for (int i = 0; i < 100; i++) {
      String line = "line " + i;
      ShutdownLog.write(() -> written.add(line));
    }
    assertTrue(flush());
    assertEquals(100, written.size());
    assertEquals("line 0", written.get(0));
    assertEquals("line 99", written.get(99));
  }

  @Test
  void write_lineThrows_nextLineIsWritten() {
    ShutdownLog.write(
        () -> {
          throw new AssertionError("broken appender");
        });
    ShutdownLog.write(() -> written.add("next"));
    assertTrue(flush());
    assertEquals(List.of("next"), written);
  }

  @Test
  void flush_lineBlocks_returnsAtTheDeadlineAndLinesAreKept() {
    CountDownLatch pipeIsRead = new CountDownLatch(1);
    ShutdownLog.write(() -> await(pipeIsRead));
    ShutdownLog.write(() -> written.add("later"));
    ManualTicker ticker = new ManualTicker();
    assertFalse(ShutdownLog.flush(new Deadline(ticker, ticker.read())));
    assertEquals(List.of(), written);
    pipeIsRead.countDown();
    assertTrue(flush());
    assertEquals(List.of("later"), written);
  }

  @Test
  void stop_lineComesLater_isWrittenOnANewThread() {
    ShutdownLog.write(() -> written.add("first"));
    ShutdownLog.stop();
    ShutdownLog.write(() -> written.add("second"));
    assertTrue(flush());
    assertEquals(List.of("first", "second"), written);
  }

  /** The application is undeployed: its class loader must not be kept by a thread of ours. */
  @Test
  void stop_lineComesLater_itsThreadEndsByItself() {
    ShutdownLog.write(() -> written.add("first"));
    ShutdownLog.stop();
    ShutdownLog.write(() -> written.add("late"));
    Awaitility.await()
        .until(
            () ->
                written.contains("late")
                    && Threads.alive().stream().noneMatch(it -> it.getName().equals(LOG)));
    ShutdownLog.keep();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("The test was interrupted", e);
    }
  }
}
