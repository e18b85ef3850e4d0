package io.lastcall.connection;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;

/**
 * Whether the first request of a connection may be on its way. A client that has just connected is
 * about to send: its connection has carried nothing, but is not idle. From a connection's accept
 * on, and anew from the end of a TLS handshake. Thread-safe.
 */
public final class FirstRequest {
  /** How long it is awaited: 500 ms, more than a round trip around the world. */
  public static final Duration PATIENCE = Duration.ofMillis(500);

  private final Duration patience;
  private final Ticker ticker;
  private volatile Deadline deadline;
  private volatile boolean arrived;

  /** Begins to await it now, for {@link #PATIENCE}. */
  public FirstRequest() {
    this(PATIENCE, Ticker.system());
  }

  /** Begins to await it now, for {@code patience}. */
  public FirstRequest(Duration patience, Ticker ticker) {
    this.patience = patience;
    this.ticker = ticker;
    deadline = Deadline.after(patience, ticker);
  }

  /** Begins to await it anew: only now, behind a handshake, can the client send it. */
  public void awaitAnew() {
    deadline = Deadline.after(patience, ticker);
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
