package io.lastcall.netty;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one connection whose responses are still to be written, in the order of their
 * requests (RFC 9112, section 9.3.2: responses come in that order). Linked through the exchanges
 * themselves. Event loop only.
 */
final class Exchanges {
  private @Nullable Exchange first;
  private @Nullable Exchange last;

  /** Responses written but not yet out. */
  private int beingSent;

  /** Returns the exchange whose response comes next, or null. */
  @Nullable Exchange first() {
    return first;
  }

  /** Returns the exchange of the request that was read last, if it has no response yet, or null. */
  @Nullable Exchange last() {
    return last;
  }

  /** Returns whether no request waits for its response, or for the end of it. */
  boolean isEmpty() {
    return first == null && beingSent == 0;
  }

  void add(Exchange exchange) {
    if (last == null) {
      first = exchange;
    } else {
      last.next = exchange;
    }
    last = exchange;
  }

  /** The end of the first one's response is being written. */
  void beingSent(Exchange exchange) {
    first = exchange.next;
    if (first == null) {
      last = null;
    }
    beingSent++;
  }

  void left() {
    beingSent--;
  }

  /** Forgets all but the first. */
  void abandonRest(Consumer<Exchange> action) {
    Exchange kept = first;
    if (kept != null) {
      first = kept.next;
      abandon(action);
      kept.next = null;
      add(kept);
    }
  }

  /** Forgets those whose responses will not be written. */
  void abandon(Consumer<Exchange> action) {
    Exchange exchange = first;
    first = null;
    last = null;
    while (exchange != null) {
      action.accept(exchange);
      exchange = exchange.next;
    }
  }
}
