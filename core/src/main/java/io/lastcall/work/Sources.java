package io.lastcall.work;

import io.lastcall.phase.Step;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sources of work, by name. Thread-safe. */
final class Sources {
  private final Map<String, Source> byName = new ConcurrentSkipListMap<>();
  private volatile boolean begun;

  /** Adds a source; returns what takes it back, or null if its name is taken. */
  @Nullable Runnable addIfFree(Source source) {
    if (byName.putIfAbsent(source.name(), source) != null) {
      return null;
    }
    // Added first, read after: either this sees the trigger, or the trigger sees the source.
    if (begun) {
      source.begin();
    }
    return () -> byName.remove(source.name(), source);
  }

  /** The shutdown begins: each is stopped, on a thread of its own. */
  void begin() {
    begun = true;
    byName.values().forEach(Source::begin);
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Returns the steps that wait until each was stopped. */
  List<Step> stopTaking() {
    return byName.values().stream().map(Source::stopTaking).toList();
  }

  /** Returns whether DRAIN waits for none. */
  boolean areFinished() {
    return unfinished().findAny().isEmpty();
  }

  Stream<Source> unfinished() {
    return byName.values().stream().filter(Source::isInProgress);
  }

  /** Returns the names of those that have finished. */
  List<String> finished() {
    return byName.values().stream().filter(Source::isFinished).map(Source::name).toList();
  }

  /** Returns in words which have not finished. */
  Stream<String> problems() {
    return byName.values().stream().flatMap(source -> source.problem().stream());
  }
}
