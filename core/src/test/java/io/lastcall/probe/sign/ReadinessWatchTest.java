package io.lastcall.probe.sign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.probe.Probes;
import io.lastcall.time.ManualTicker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadinessWatchTest {
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final AtomicBoolean ready = new AtomicBoolean();
  private final CompletableFuture<ReadinessWatch> watch = new CompletableFuture<>();

  /** Hiding it takes long enough for somebody to look, and parks, as input and output may. */
  private final class Parking implements ReadinessSign {
    private final Runnable meanwhile;

    Parking(Runnable meanwhile) {
      this.meanwhile = meanwhile;
    }

    @Override
    public void show() {
      seen.add("shown");
    }

    @Override
    public void hide() {
      if (seen.isEmpty()) {
        seen.add("hidden");
        ReadinessWatch started = watch.join();
        meanwhile.run();
        started.look();
        LockSupport.park(this);
      }
    }
  }

  private ReadinessWatch watch(Runnable whileHiding) {
    Probes probes = new Probes(() -> true, ready::get);
    ReadinessWatch started =
        ReadinessWatch.start(List.of(new Parking(whileHiding)), probes, new ManualTicker());
    watch.complete(started);
    return started;
  }

  @Test
  void look_whileASignIsHiddenBySomethingThatParks_isNotLost() {
    ReadinessWatch started = watch(() -> ready.set(true));
    Awaitility.await().until(() -> seen, List.of("hidden", "shown")::equals);
    started.close();
    assertEquals(List.of("hidden", "shown"), seen);
  }
}
