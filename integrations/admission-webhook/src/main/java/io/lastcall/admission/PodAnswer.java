package io.lastcall.admission;

import java.time.Duration;

/**
 * What an application has answered, or why there is no answer that can be used.
 *
 * @param detail in words, for the client that wants to delete the Pod
 * @param eta how long it still prepares; zero if that is not known
 */
record PodAnswer(State state, String detail, Duration eta) {

  /** As the metric names them. */
  enum State {
    PREPARED,
    PREPARING,
    REFUSED,
    LATE,
    UNREACHABLE,
    UNAUTHORIZED,
    GARBAGE
  }

  static PodAnswer none(State state, String detail) {
    return new PodAnswer(state, detail, Duration.ZERO);
  }

  boolean isPrepared() {
    return state == State.PREPARED;
  }
}
