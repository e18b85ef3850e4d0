package io.lastcall.work;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.inflight.InProgress;
import io.lastcall.name.ByName;
import io.lastcall.report.WorkReport;
import io.lastcall.time.Ticker;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The {@link Work} of each name. Thread-safe. */
final class Works {
  private final ByName<Work> byName;
  private volatile boolean closed;

  /** Each work's count: the units of all of them are in progress together. */
  final InProgress units = InProgress.all(() -> each().map(Work::control).toList());

  Works(Ticker ticker) {
    byName = new ByName<>("work", name -> new Work(ByName.printable("work", name), ticker));
  }

  Work get(String name) {
    Work work = byName.get(name);
    // Added first, read after: either this sees the closing, or the closing sees the work.
    if (closed) {
      work.control().close();
    }
    return work;
  }

  void onWork(Consumer<Work> listener) {
    byName.onEach(listener);
  }

  private Stream<Work> each() {
    return byName.each();
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
    return byName.describe(Work::inProgress);
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
    return byName.describe(work -> work.report().refused()).stream()
        .map(refused -> refused + " came too late or had no room, and never ran");
  }
}
