package io.lastcall.spring;

import io.lastcall.time.Deadline;
import java.lang.Thread.State;
import java.time.Duration;

/**
 * The thread that makes the context: a {@code main} that goes on, after its runner's work was the
 * last that the shutdown waited for. {@code SpringApplication.exit} returns 1 where it finds the
 * context closed, and that would be the exit code.
 */
final class StartingThread {
  private static final Duration AGAIN = Duration.ofMillis(10);

  private final Thread thread = Thread.currentThread();

  /** Waits until it has ended, or waits itself, as for the shutdown's exit code. */
  void awaitPause(Deadline deadline) {
    boolean paused = false;
    while (thread.isAlive() && !deadline.hasPassed()) {
      boolean pauses = pauses();
      if (paused && pauses) {
        return; // at two looks: a lock is soon got
      }
      paused = pauses;
      deadline.atMost(AGAIN).awaitPassed(this);
    }
  }

  /** Its stack would not tell: a native method on top reads a class or the clock, or accepts. */
  private boolean pauses() {
    State state = thread.getState();
    return state != State.RUNNABLE && state != State.BLOCKED;
  }
}
