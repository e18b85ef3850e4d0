package io.lastcall.connection;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The connections of one kind, counted from the first on. Thread-safe. */
final class KindCounts {
  private final LongAdder opened = new LongAdder();
  private final Map<CloseCause, LongAdder> closed;

  KindCounts() {
    Map<CloseCause, LongAdder> counts = new EnumMap<>(CloseCause.class);
    for (CloseCause cause : CloseCause.values()) {
      counts.put(cause, new LongAdder());
    }
    closed = Collections.unmodifiableMap(counts);
  }

  void opened() {
    opened.increment();
  }

  void closed(CloseCause cause) {
    count(cause).increment();
  }

  long closings(CloseCause cause) {
    return count(cause).sum();
  }

  /** The closings first: each has its opening before it, so this is never negative. */
  long open() {
    long ended = closed.values().stream().mapToLong(LongAdder::sum).sum();
    return opened.sum() - ended;
  }

  private LongAdder count(CloseCause cause) {
    return Objects.requireNonNull(closed.get(cause));
  }
}
