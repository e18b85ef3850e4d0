package io.lastcall.drill;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the phases in what a pod logs. A phase with nothing to do logs nothing, and is not found.
 * Thread-safe.
 */
final class PhaseLog {
  private final List<Mark> marks = new ArrayList<>();

  /** When a phase began, as {@link System#nanoTime()}. */
  record Mark(PodPhase phase, long time) {}

  synchronized void line(String text, long time) {
    for (PodPhase phase : PodPhase.values()) {
      if (phase.beginsWith(text) && marks.stream().noneMatch(mark -> mark.phase() == phase)) {
        marks.add(new Mark(phase, time));
      }
    }
  }

  synchronized List<Mark> marks() {
    return List.copyOf(marks);
  }
}
