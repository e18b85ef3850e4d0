package io.lastcall.test;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StandstillTest {
  private volatile boolean stopped;

  @Test
  void await_threadRunsOn_saysWhere() {
    ThreadGroup group = new ThreadGroup("busy");
    Thread busy = new Thread(group, this::runUntilStopped, "lastcall-busy");
    busy.setDaemon(true);
    busy.start();
    Standstill standstill = new Standstill(group, new ManualTime(), Duration.ofMillis(200));
    AssertionError error = assertThrows(AssertionError.class, standstill::await);
    stopped = true;
    assertTrue(error.toString().contains("lastcall-busy RUNNABLE"), error::toString);
    assertTrue(error.toString().contains("runUntilStopped"), error::toString);
  }

  @Test
  void await_serverOfTheLibrary_isAtRest() throws IOException {
    ThreadGroup group = new ThreadGroup("server");
    try (Selector selector = Selector.open()) {
      Thread server = new Thread(group, () -> select(selector), "lastcall-server");
      server.setDaemon(true);
      server.start();
      new Standstill(group, new ManualTime(), Duration.ofSeconds(30)).await();
    }
  }

  private static void select(Selector selector) {
    try {
      selector.select();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void runUntilStopped() {
    while (!stopped) {
      Thread.onSpinWait();
    }
  }
}
