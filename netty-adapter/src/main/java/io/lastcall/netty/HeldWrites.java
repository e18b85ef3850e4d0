package io.lastcall.netty;

import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;

/** What the application wrote, in order, until it is handed on. Event loop only. */
final class HeldWrites {
  private record Held(Object message, ChannelPromise promise, int size) {}

  private final HeldBytes bytes;
  private final Queue<Held> held = new ArrayDeque<>(0);

  HeldWrites(HeldBytes bytes) {
    this.bytes = bytes;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  void add(Object message, ChannelPromise promise) {
    held.add(new Held(message, promise, bytes.add(message)));
  }

  /** Hands on what was held. */
  void release(BiConsumer<Object, ChannelPromise> writer) {
    while (!held.isEmpty()) {
      releaseFirst(writer);
    }
  }

  void releaseFirst(BiConsumer<Object, ChannelPromise> writer) {
    Held write = held.remove();
    bytes.subtract(write.size());
    writer.accept(write.message(), write.promise());
  }

  /**
   * Tells the writer that there is room again. To be called behind the flush of what was handed on:
   * what a writer that hears of it earlier writes then would overtake that.
   */
  void letWriteOn() {
    bytes.tell();
  }

  void fail() {
    release(HeldWrites::drop);
    letWriteOn();
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
