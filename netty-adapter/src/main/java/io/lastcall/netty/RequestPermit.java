package io.lastcall.netty;

import io.lastcall.inflight.EventLoopPermit;
import io.lastcall.time.Ticker;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The permit of a request that an event loop serves, what the report shows of it, and the listener
 * of its response's last write.
 */
abstract class RequestPermit extends EventLoopPermit implements ChannelFutureListener {
  private CharSequence method = "";

  /** Null between two requests: a connection may be idle for long. */
  private @Nullable CharSequence uri;

  private long start;

  /**
   * @param now on the system ticker
   */
  final void begin(CharSequence newMethod, CharSequence newUri, long now) {
    // Mostly the same object again, and to store a reference costs G1's barrier.
    if (method != newMethod) {
      method = newMethod;
    }
    uri = newUri;
    start = now;
  }

  final boolean isConnect() {
    return HttpMethod.CONNECT.name().contentEquals(method);
  }

  final CharSequence method() {
    return method;
  }

  final CharSequence uri() {
    CharSequence known = uri;
    return known == null ? "" : known;
  }

  /** Lets go of what only the request that is over has needed. */
  void forget() {
    uri = null;
  }

  /** The response's last byte has left, or never will. Event loop only. */
  abstract void left(boolean success);

  /**
   * Runs on the executor of the handler that wrote, which may be in a group of its own; so it
   * switches to the event loop.
   */
  @Override
  public final void operationComplete(ChannelFuture written) {
    EventLoop loop = written.channel().eventLoop();
    if (loop.inEventLoop()) {
      left(written.isSuccess());
      return;
    }
    try {
      loop.execute(() -> left(written.isSuccess()));
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and the connection with it.
      release();
    }
  }

  @Override
  protected final String description() {
    return method + " " + uri();
  }

  @Override
  protected final Optional<Duration> age() {
    return Optional.of(Duration.ofNanos(Ticker.system().read() - start));
  }
}
