package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import org.jspecify.annotations.Nullable;

/**
 * The chain of a dispatch behind an asynchronous start, while it runs. What starts again within it
 * is listened to when it is through, behind the listeners that the chain has added. Thread-safe:
 * Undertow, where such a start is complete before the chain is through, says so to the listeners of
 * the former one, on the thread that completes it.
 */
final class LaterChain {
  private final AsyncPart part;

  // Guarded by this.
  private @Nullable AsyncContext told;
  private @Nullable AsyncContext seen;
  private boolean completed;
  private boolean through;

  LaterChain(AsyncPart part) {
    this.part = part;
  }

  /** On the dispatch's thread, when the chain is through. */
  void returned(boolean failed) {
    part.returned(this, failed);
  }

  /**
   * The container tells of a new start.
   *
   * @return false if the chain is through
   */
  synchronized boolean toldOf(AsyncContext context) {
    told = context;
    return !through;
  }

  /** As {@link #toldOf}, of a start that went through our request. */
  synchronized void seen(AsyncContext context) {
    seen = context;
  }

  /**
   * The container tells of an end.
   *
   * @return false if the chain is through: then it is one
   */
  synchronized boolean completed() {
    completed = true;
    return !through;
  }

  /** Returns what is to be listened to, if anything. */
  synchronized @Nullable AsyncContext through() {
    through = true;
    return told == null && completed ? seen : told;
  }

  /** Whether the end was told that {@link #through} has nothing to listen to for. */
  synchronized boolean isCompleted() {
    return completed;
  }
}
