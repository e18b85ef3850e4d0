package io.lastcall.connection;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;

/**
 * Whether the first request of a connection may be on its way. A client that has just connected is
 * about to send: its connection has carried nothing, but is not idle. From a connection's accept
 * on. Thread-safe.
 */
public final class FirstRequest {
  /** How long it is awaited: 500 ms, more than a round trip around the world. */
  public static final Duration PATIENCE = Duration.ofMillis(500);

  private final Deadline deadline;
  private volatile boolean arrived;

  /** Begins to await it now, for {@code patience}. */
  public FirstRequest(Duration patience) {
    deadline = Deadline.after(patience, Ticker.system());
  }

  /** Says that something of it has arrived; cheap enough to be said of every request. */
  public void arrived() {
    if (!arrived) {
      arrived = true;
    }
  }

  /** Returns whether it is still to come, and not overdue. */
  public boolean isAwaited() {
    return !arrived && !deadline.hasPassed();
  }
}
