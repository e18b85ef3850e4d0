package io.lastcall.work;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.inflight.InProgress;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.WorkReport;
import io.lastcall.time.Ticker;
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

  /** Each work's count: the units of all of them are in progress together. */
  final InProgress units = InProgress.all(() -> each().map(Work::control).toList());

  Works(Ticker ticker) {
    this.ticker = ticker;
  }

  Work get(String name) {
    Work known = byName.get(name);
    if (known != null) {
      return known;
    }
    Work added = new Work(Work.named(name), ticker);
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
    each().forEach(work -> notify(listener, work));
  }

  private static void notify(Consumer<Work> listener, Work work) {
    try {
      listener.accept(work);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "A listener failed that was told of work '{}'", work.name(), t);
    }
  }

  private Stream<Work> each() {
    return byName.values().stream();
  }

  void close() {
    closed = true;
    units.close();
  }

  List<Work.Unit> open() {
    return each().flatMap(Work::open).toList();
  }

  List<InFlightRequest> running() {
    return each().flatMap(Works::running).toList();
  }

  private static Stream<InFlightRequest> running(Work work) {
    return work.control().running().stream()
        .map(
            unit ->
                new InFlightRequest(
                    work.name() + ": " + unit.description(), unit.age(), unit.thread()));
  }

  List<String> describe() {
    return each()
        .filter(work -> work.inProgress() > 0)
        .map(work -> work.inProgress() + " of work '" + work.name() + "'")
        .toList();
  }

  void startReport() {
    each().forEach(Work::startReport);
  }

  void end(boolean idle) {
    each().forEach(work -> work.end(idle));
  }

  List<WorkReport> reports() {
    return each().map(Work::report).toList();
  }

  /** Returns in words what came too late. */
  Stream<String> problems() {
    return reports().stream()
        .filter(work -> work.refused() > 0)
        .map(
            work ->
                "%d of work '%s' came too late or had no room, and never ran"
                    .formatted(work.refused(), work.name()));
  }
}
