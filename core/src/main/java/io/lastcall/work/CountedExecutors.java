package io.lastcall.work;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The executors whose tasks are counted, by name. Thread-safe. */
final class CountedExecutors {
  private final Map<String, CountedExecutor> byName = new ConcurrentSkipListMap<>();

  <T extends CountedExecutor> T add(String name, T executor) {
    if (byName.putIfAbsent(name, executor) != null) {
      throw WorkControl.taken("countedExecutor", name);
    }
    return executor;
  }

  /** Returns when the last delayed task begins that is due before {@code end}; zero if overdue. */
  Optional<Duration> nextDelayed(Deadline end) {
    return byName.values().stream()
        .flatMap(executor -> executor.awaited(end).stream())
        .max(Duration::compareTo)
        .map(after -> after.isNegative() ? Duration.ZERO : after);
  }

  /** Interrupts what runs and drops what waits; returns that, each with its executor's name. */
  List<String> cut() {
    return byName.entrySet().stream()
        .flatMap(each -> each.getValue().cut().stream().map(task -> each.getKey() + ": " + task))
        .toList();
  }
}
