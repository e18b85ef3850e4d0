package io.lastcall.drill;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the phases in what a pod logs. Tolerant: a line counts if it names exactly one phase, and
 * only the first line about each phase counts; tables and reports, which name several, are passed
 * over. Thread-safe.
 */
final class PhaseLog {
  private final List<Mark> marks = new ArrayList<>();

  /** When a phase was first heard of, as {@link System#nanoTime()}. */
  record Mark(PodPhase phase, long time) {}

  synchronized void line(String text, long time) {
    PodPhase named = null;
    for (PodPhase phase : PodPhase.values()) {
      if (text.contains(phase.name())) {
        if (named != null) {
          return;
        }
        named = phase;
      }
    }
    PodPhase found = named;
    if (found != null && marks.stream().noneMatch(mark -> mark.phase() == found)) {
      marks.add(new Mark(found, time));
    }
  }

  synchronized List<Mark> marks() {
    return List.copyOf(marks);
  }
}
