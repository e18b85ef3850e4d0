package io.lastcall.netty;

import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;

/** What the application wrote, in order, until it is handed on. Event loop only. */
final class HeldWrites {
  private record Held(Object message, ChannelPromise promise) {}

  private final Queue<Held> held = new ArrayDeque<>(0);

  boolean isEmpty() {
    return held.isEmpty();
  }

  void add(Object message, ChannelPromise promise) {
    held.add(new Held(message, promise));
  }

  /** Hands on what was held. */
  void release(BiConsumer<Object, ChannelPromise> writer) {
    for (Held write = held.poll(); write != null; write = held.poll()) {
      writer.accept(write.message(), write.promise());
    }
  }

  void releaseFirst(BiConsumer<Object, ChannelPromise> writer) {
    Held write = held.remove();
    writer.accept(write.message(), write.promise());
  }

  void fail() {
    release(HeldWrites::drop);
  }

  /** Passes for a write what nobody would read. */
  static void ignore(Object message, ChannelPromise promise) {
    ReferenceCountUtil.release(message);
    if (!promise.isVoid()) {
      promise.trySuccess();
    }
  }

  /** Fails a write that can no longer go anywhere. */
  static void drop(Object message, ChannelPromise promise) {
    ReferenceCountUtil.release(message);
    if (!promise.isVoid()) {
      promise.tryFailure(new ClosedChannelException());
    }
  }
}
