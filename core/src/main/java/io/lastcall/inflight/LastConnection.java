package io.lastcall.inflight;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The last new connection that brought a request, of a shutdown, and whether its client came alone
 * at the end. Connections may be noted in any order. Thread-safe and lock-free.
 */
final class LastConnection {
  private final AtomicReference<Seen> seen = new AtomicReference<>(new Seen(-1, null, -1));

  /**
   * In nanoseconds since the trigger; negative if there was none.
   *
   * @param at when the last one was accepted
   * @param client its address; null if that is not known
   * @param others when the last one of any other address was accepted
   */
  private record Seen(long at, @Nullable InetAddress client, long others) {

    Seen and(long acceptTime, @Nullable InetAddress address) {
      if (Objects.equals(address, client)) {
        return acceptTime <= at ? this : new Seen(acceptTime, client, others);
      }
      if (acceptTime > at) {
        return new Seen(acceptTime, address, at);
      }
      return acceptTime <= others ? this : new Seen(at, client, acceptTime);
    }
  }

  /**
   * Notes a connection by which a request has come.
   *
   * @param acceptTime in nanoseconds since the trigger; negative: it is none of the shutdown
   */
  void note(long acceptTime, @Nullable InetAddress address) {
    if (acceptTime >= 0) {
      seen.updateAndGet(known -> known.and(acceptTime, address));
    }
  }

  /** Returns when it was accepted. */
  Optional<Duration> at() {
    return sinceTrigger(seen().at());
  }

  /** Returns whose it was; empty if there was none, or the adapter does not know. */
  Optional<LastClient> client() {
    Seen known = seen();
    return Optional.ofNullable(known.client())
        .map(address -> new LastClient(address, sinceTrigger(known.others())));
  }

  private Seen seen() {
    return Objects.requireNonNull(seen.get());
  }

  private static Optional<Duration> sinceTrigger(long nanos) {
    return nanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }
}
