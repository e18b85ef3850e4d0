package io.lastcall.inflight;

import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Things that a shutdown waits for: requests, or work. The sequence asks {@link #all} of them at
 * once, since each may begin another: a request submits a task, and that task a second one.
 *
 * @hidden of the library itself
 */
public interface InProgress {

  /** Returns how many have begun so far; it never falls. */
  long started();

  /** Returns whether none is in progress; a moment's view. */
  boolean isIdle();

  /**
   * Waits until none is in progress. An interrupt does not end the wait and is restored after it.
   *
   * @return false if the deadline passed first
   */
  boolean awaitIdle(Deadline end);

  /** Refuses every further one, for good. */
  void close();

  /** Returns those that are in progress now; at most some thousand. */
  List<InFlightRequest> running();

  /** Returns in words what is in progress, with numbers; empty if nothing is. */
  List<String> describe();

  /**
   * Returns several as one.
   *
   * <p>It is idle if each part was found idle, and nothing began from before the first look until
   * after the last: then no part can have begun anything in another that was looked at before, and
   * all of them are idle at the moment of the last look.
   *
   * @param parts asked each time: there may be more of them
   */
  static InProgress all(Supplier<? extends Collection<? extends InProgress>> parts) {
    return new InProgress() {
      private Stream<? extends InProgress> each() {
        return parts.get().stream();
      }

      @Override
      public long started() {
        return each().mapToLong(InProgress::started).sum();
      }

      @Override
      public boolean isIdle() {
        long before = started();
        return each().allMatch(InProgress::isIdle) && started() == before;
      }

      @Override
      public boolean awaitIdle(Deadline end) {
        while (each().allMatch(part -> part.awaitIdle(end))) {
          if (isIdle()) {
            return true;
          }
          if (end.hasPassed()) {
            return false;
          }
        }
        return false;
      }

      @Override
      public void close() {
        each().forEach(InProgress::close);
      }

      @Override
      public List<InFlightRequest> running() {
        return each().<InFlightRequest>flatMap(part -> part.running().stream()).toList();
      }

      @Override
      public List<String> describe() {
        return each().<String>flatMap(part -> part.describe().stream()).toList();
      }
    };
  }
}
