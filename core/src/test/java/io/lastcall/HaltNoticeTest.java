package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.process.Threads;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HaltNoticeTest {
  private static final Duration BEFORE = Duration.ofMillis(400);
  private final HaltNotice notice =
      new HaltNotice(
          BEFORE, new StuckReporter(Deadline.after(StuckReporter.LOOKS, new ManualTicker())));

  @Test
  void ofExit_noHookRuns_saysThatItIsTheJvm() {
    Set<Thread> threads = new HashSet<>(Threads.alive());
    assertEquals(
        "exit hangs, the process is halted in 400 ms unless it ends;"
            + " no hook of others runs, it is the JVM's own end that takes so long",
        notice.ofExit(threads));
  }

  @Test
  void ofExit_aHookRuns_namesIt() {
    Set<Thread> threads = new HashSet<>(Threads.alive());
    threads.remove(Thread.currentThread());
    String text = notice.ofExit(threads);
    assertTrue(
        text.startsWith(
            "exit hangs, the process is halted in 400 ms unless it ends;"
                + " hooks of others that still run:\n  thread "
                + Thread.currentThread().getName()
                + ":\n      at "),
        text);
  }
}
