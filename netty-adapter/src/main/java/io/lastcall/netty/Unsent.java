package io.lastcall.netty;

import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;

/** Writes that go nowhere. */
final class Unsent {
  private Unsent() {}

  /** Drops a message that its peer would not read, and reports it as written. */
  static void ignore(Object message, ChannelPromise promise) {
    ReferenceCountUtil.release(message);
    if (!promise.isVoid()) {
      promise.trySuccess();
    }
  }

  /** Fails a write whose connection or response has ended. */
  static void fail(Object message, ChannelPromise promise) {
    ReferenceCountUtil.release(message);
    if (!promise.isVoid()) {
      promise.tryFailure(new ClosedChannelException());
    }
  }
}
