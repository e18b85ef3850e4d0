package io.lastcall.grpc;

import io.grpc.Context;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How a streaming call ends at a shutdown. By default it is closed with UNAVAILABLE, which clients
 * retry elsewhere; an application that has a last message to send, or that wants a regular end,
 * says so by {@link #onShutdown}. Thread-safe.
 */
public final class CallEnding {
  private static final Context.Key<CallEnding> KEY = Context.key("lastcall-ending");

  /** Null once it was run. */
  private final AtomicReference<@Nullable Runnable> end;

  private final Runnable longLived;

  /**
   * @param otherwise what ends the call if the application does not
   * @param longLived run when the application says that the call has no end of its own
   */
  CallEnding(Runnable otherwise, Runnable longLived) {
    end = new AtomicReference<>(otherwise);
    this.longLived = longLived;
  }

  /**
   * Says what ends the call of the current context, which has no end of its own, whatever deadline
   * its client has set: DRAIN does not wait for it. Call it in the method that starts the call. It
   * does nothing for a call whose server answers with one message, nor on a server that is not
   * {@link GrpcShutdown}'s.
   *
   * @param ending called at most once, by a thread of the library. It must not block, and must
   *     cause the call to be closed. A {@code StreamObserver} is not thread-safe: use it on the
   *     thread that sends the messages
   */
  public static void onShutdown(Runnable ending) {
    CallEnding current = KEY.get();
    if (current != null) {
      current.end.getAndUpdate(before -> before == null ? null : ending);
      // After that: it may be told to end at once.
      current.longLived.run();
    }
  }

  Context in(Context context) {
    return context.withValue(KEY, this);
  }

  void run() {
    Runnable ending = end.getAndSet(null);
    if (ending != null) {
      ending.run();
    }
  }
}
