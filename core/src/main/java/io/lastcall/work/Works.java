package io.lastcall.work;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.WorkReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@link Work} of each name, and who listens for a new one. Thread-safe. */
final class Works {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final Ticker ticker;
  private final Map<String, Work> byName = new ConcurrentSkipListMap<>();
  private final List<Consumer<Work>> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  Works(Ticker ticker) {
    this.ticker = ticker;
  }

  Work get(String name) {
    Work known = byName.get(name);
    if (known != null) {
      return known;
    }
    Work added = new Work(WorkControl.named(name), ticker);
    Work first = byName.putIfAbsent(name, added);
    if (first != null) {
      return first;
    }
    if (closed) {
      added.control().close();
    }
    listeners.forEach(listener -> notify(listener, added));
    return added;
  }

  void onWork(Consumer<Work> listener) {
    listeners.add(listener);
    byName.values().forEach(work -> notify(listener, work));
  }

  private static void notify(Consumer<Work> listener, Work work) {
    try {
      listener.accept(work);
    } catch (RuntimeException e) {
      ShutdownLog.warn(log, "A listener failed that was told of work '{}'", work.name(), e);
    }
  }

  boolean isIdle() {
    return byName.values().stream().allMatch(work -> work.control().isIdle());
  }

  /** Waits for one after the other; returns false if the deadline passed first. */
  boolean awaitIdle(Deadline end) {
    for (Work work : byName.values()) {
      if (!work.control().awaitIdle(end)) {
        return false;
      }
    }
    return true;
  }

  void close() {
    closed = true;
    byName.values().forEach(work -> work.control().close());
  }

  List<InFlightRequest> running() {
    return byName.values().stream().flatMap(Works::running).toList();
  }

  private static Stream<InFlightRequest> running(Work work) {
    return work.control().running().stream()
        .map(
            unit ->
                new InFlightRequest(
                    work.name() + ": " + unit.description(), unit.age(), unit.thread()));
  }

  List<String> open() {
    return byName.values().stream()
        .filter(work -> work.inProgress() > 0)
        .map(work -> work.inProgress() + " of work '" + work.name() + "'")
        .toList();
  }

  Map<String, Long> finished() {
    Map<String, Long> finished = new HashMap<>();
    byName.forEach((name, work) -> finished.put(name, work.finished()));
    return finished;
  }

  List<WorkReport> reports(Map<String, Long> before, boolean idle) {
    return byName.values().stream()
        .map(
            work ->
                new WorkReport(
                    work.name(),
                    work.finished() - before.getOrDefault(work.name(), 0L),
                    idle ? 0 : work.inProgress()))
        .toList();
  }
}
