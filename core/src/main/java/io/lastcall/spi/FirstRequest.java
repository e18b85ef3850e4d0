package io.lastcall.spi;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;

/**
 * Whether the first request of a connection may be on its way: a client that has just connected is
 * about to send, so its connection is not idle. Starts at a connection's accept, and again at the
 * end of its TLS handshake. Thread-safe.
 */
public final class FirstRequest {
  /** How long it is awaited: 500 ms, more than a round trip around the world. */
  public static final Duration PATIENCE = Duration.ofMillis(500);

  private final Duration patience;
  private final Ticker ticker;
  private volatile Deadline deadline;
  private volatile boolean arrived;

  /** Awaits it from now on, for {@link #PATIENCE}. */
  public FirstRequest() {
    this(PATIENCE, Ticker.system());
  }

  /** Awaits it from now on, for {@code patience}. */
  public FirstRequest(Duration patience, Ticker ticker) {
    this.patience = patience;
    this.ticker = ticker;
    deadline = Deadline.after(patience, ticker);
  }

  /** Awaits it anew: the client can send it only now, after a handshake. */
  public void awaitAnew() {
    deadline = Deadline.after(patience, ticker);
  }

  /** Says that a part of it has arrived; cheap enough for every request. */
  public void arrived() {
    if (!arrived) {
      arrived = true;
    }
  }

  /** Returns whether it has not arrived and is not overdue. */
  public boolean isAwaited() {
    return !arrived && !deadline.hasPassed();
  }
}
