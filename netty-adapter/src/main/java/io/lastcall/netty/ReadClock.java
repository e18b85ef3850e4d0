package io.lastcall.netty;

import io.lastcall.time.Ticker;

/**
 * One time for all requests of one read of the socket: they have all come by then, and to look at
 * the clock for each would cost more than to count it. Event loop only.
 */
final class ReadClock {
  private long time;
  private boolean valid;

  /** Returns when the first request of the read that is going on was seen, on the system ticker. */
  long now() {
    if (!valid) {
      valid = true;
      time = Ticker.system().read();
    }
    return time;
  }

  /** The next read gets a time of its own. */
  void readComplete() {
    valid = false;
  }
}
