package io.lastcall.propagation;

import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;

/** A history as its own sampler writes it, in time that moves by hand. */
public final class History {
  private History() {}

  /** Returns a history of {@code seconds}, in each of which {@code arrivals} came. */
  public static ArrivalHistory of(ManualTicker ticker, int seconds, IntToLongFunction arrivals) {
    AtomicLong started = new AtomicLong();
    ArrivalHistory history = new ArrivalHistory(started::get, ticker);
    Background<Boolean> sampler =
        Background.run(
            () -> {
              history.sample();
              return true;
            });
    for (int second = 0; second < seconds; second++) {
      ticker.awaitParked(sampler.thread());
      started.addAndGet(arrivals.applyAsLong(second));
      ticker.advance(Duration.ofSeconds(1));
    }
    ticker.awaitParked(sampler.thread());
    history.stop();
    sampler.result();
    return history;
  }
}
