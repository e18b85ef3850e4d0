package io.lastcall.probe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.probe.Probes;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ReadinessWatchTest {
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final AtomicBoolean ready = new AtomicBoolean();
  private final CompletableFuture<ReadinessWatch> watch = new CompletableFuture<>();

  /** Hiding it takes long enough for somebody to look, and parks, as input and output may. */
  private final class Parking implements ReadinessSign {
    @Override
    public void show() {
      seen.add("shown");
    }

    @Override
    public void hide() {
      if (seen.isEmpty()) {
        seen.add("hidden");
        ReadinessWatch started = watch.join();
        ready.set(true);
        started.readinessChanged();
        LockSupport.park(this);
      }
    }
  }

  @Test
  void readinessChanged_whileASignIsHiddenBySomethingThatParks_isNotLost() {
    ManualTicker ticker = new ManualTicker();
    Probes probes = FixedProbes.of(() -> true, ready::get);
    ReadinessWatch started = ReadinessWatch.start(List.of(new Parking()), probes, ticker);
    watch.complete(started);
    Awaitility.await().until(() -> seen, List.of("hidden", "shown")::equals);
    started.close(Deadline.after(Duration.ofMinutes(1), ticker));
    assertEquals(List.of("hidden", "shown"), seen);
  }
}
