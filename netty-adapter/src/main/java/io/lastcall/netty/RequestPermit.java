package io.lastcall.netty;

import io.lastcall.inflight.Permit;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Optional;

/** What the report shows of a request that an event loop serves. */
abstract class RequestPermit extends Permit {
  private final Thread eventLoop = Thread.currentThread();
  private CharSequence method = "";
  private CharSequence uri = "";
  private long start;

  final void begin(CharSequence newMethod, CharSequence newUri) {
    method = newMethod;
    uri = newUri;
    start = Ticker.system().read();
  }

  final CharSequence method() {
    return method;
  }

  @Override
  protected final String description() {
    return method + " " + uri;
  }

  @Override
  protected final Optional<Duration> age() {
    return Optional.of(Duration.ofNanos(Ticker.system().read() - start));
  }

  /**
   * The event loop: whatever blocks it, such as a {@code System.exit} called there, keeps this
   * request from ending.
   */
  @Override
  protected final Optional<Thread> thread() {
    return Optional.of(eventLoop);
  }
}
