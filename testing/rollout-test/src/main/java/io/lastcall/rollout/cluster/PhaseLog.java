package io.lastcall.rollout.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the phases in what a pod logs. A phase with nothing to do logs nothing, and is not found.
 * Thread-safe.
 */
public final class PhaseLog {
  private final List<Mark> marks = new ArrayList<>();

  /** When a phase began, as {@link System#nanoTime()}. */
  public record Mark(PodPhase phase, long time) {}

  public synchronized void line(String text, long time) {
    for (PodPhase phase : PodPhase.values()) {
      if (phase.beginsWith(text) && marks.stream().noneMatch(mark -> mark.phase() == phase)) {
        marks.add(new Mark(phase, time));
      }
    }
  }

  public synchronized List<Mark> marks() {
    return List.copyOf(marks);
  }
}
