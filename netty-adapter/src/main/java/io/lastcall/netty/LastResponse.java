package io.lastcall.netty;

import io.lastcall.inflight.RequestGate;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the response behind which an HTTP/1.1 connection ends, once the gate asks for that: the
 * one to the last request read so far. A client that pipelines on and on has no last request: a
 * while later it is the last one read by then. Event loop only.
 */
final class LastResponse {
  private final RequestGate gate;
  private final TrackedConnection connection;
  private final Exchanges exchanges;

  /** Sticky, as the gate's ramp is a matter of chance. */
  private boolean asked;

  /** Null until then; until when the client's pipeline may run empty by itself. */
  private @Nullable Deadline burstEnd;

  LastResponse(RequestGate gate, TrackedConnection connection, Exchanges exchanges) {
    this.gate = gate;
    this.connection = connection;
    this.exchanges = exchanges;
  }

  /** The connection is to end, whatever the gate says. */
  void ask() {
    asked = true;
  }

  /**
   * Chooses, if it is time.
   *
   * @param exchange whose response is about to begin
   * @return whether one is chosen, and no further request may be taken
   */
  boolean choose(Exchange exchange) {
    asked = asked || gate.shouldCloseConnection();
    if (!asked) {
      return false;
    }
    Exchange last = exchange.next == null ? exchange : lastOfMany();
    if (last == null) {
      return false;
    }
    last.closes = true;
    return true;
  }

  /** An answer of ours may be made by now, and does not say close. */
  private @Nullable Exchange lastOfMany() {
    if (burstEnd == null) {
      burstEnd = Deadline.after(connection.patience(), Ticker.system());
    }
    Exchange last = burstEnd.hasPassed() ? exchanges.last() : null;
    return last == null || last.answeredByUs ? null : last;
  }
}
