package io.lastcall.examples.grpc;

import io.grpc.Context;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How a streaming call ends when it is told to. Without a word of the application it is closed with
 * UNAVAILABLE, which clients retry elsewhere; an application that has a last message to send, or
 * calls this the regular end, says so here. Thread-safe.
 */
public final class CallEnding {
  private static final Context.Key<CallEnding> KEY = Context.key("lastcall-ending");

  /** Null once told. */
  private final AtomicReference<@Nullable Runnable> end;

  /**
   * @param otherwise what ends the call if the application does not
   */
  CallEnding(Runnable otherwise) {
    end = new AtomicReference<>(otherwise);
  }

  /**
   * Says what ends the call of the current context. Call it in the method that starts the call.
   *
   * @param ending called once, at most; must not block, and sees to it that the call is closed. A
   *     {@code StreamObserver} is not thread-safe: use it where the messages are sent
   */
  public static void onTold(Runnable ending) {
    CallEnding current = KEY.get();
    if (current != null) {
      current.end.getAndUpdate(before -> before == null ? null : ending);
    }
  }

  Context in(Context context) {
    return context.withValue(KEY, this);
  }

  void tell() {
    Runnable ending = end.getAndSet(null);
    if (ending != null) {
      ending.run();
    }
  }
}
