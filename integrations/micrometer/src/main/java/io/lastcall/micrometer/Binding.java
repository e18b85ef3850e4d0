package io.lastcall.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A registry with our meters in it, until it is let go. Thread-safe. */
final class Binding {
  private volatile @Nullable MeterRegistry registry;
  private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

  Binding(MeterRegistry registry) {
    this.registry = registry;
  }

  boolean isOf(MeterRegistry other) {
    return registry == other;
  }

  /**
   * Registers a meter, or finds the one that is there.
   *
   * @return the meter; null once the registry is let go
   */
  <M extends Meter> @Nullable M meter(Function<MeterRegistry, M> register) {
    MeterRegistry bound = registry;
    if (bound == null) {
      return null;
    }
    M meter = register.apply(bound);
    meters.add(meter);
    // Added first, read after: either this sees that it is let go, or letting go sees the meter.
    if (registry == null) {
      meters.remove(meter);
      bound.remove(meter);
    }
    return meter;
  }

  /** Takes the meters out of the registry, and forgets it. */
  void letGo() {
    MeterRegistry bound = registry;
    registry = null;
    if (bound != null) {
      try {
        meters.forEach(bound::remove);
      } finally {
        meters.clear(); // each knows its registry
      }
    }
  }

  /** One that is closed by now has pushed its last values, without the outcome. */
  boolean isClosed() {
    MeterRegistry bound = registry;
    return bound != null && bound.isClosed();
  }

  void close() {
    MeterRegistry bound = registry;
    if (bound != null) {
      bound.close();
    }
  }

  @Override
  public String toString() {
    MeterRegistry bound = registry;
    return bound == null ? "A registry" : bound.getClass().getName();
  }
}
