package io.lastcall.servlet;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.connection.LongLivedConnection;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A response of type {@code text/event-stream} that has no end of its own. Told to close, it ends
 * between two writes: an asynchronous one is completed, so that the client sees a whole response
 * and reconnects; to a thread that blocks on its request the next write says so by an exception.
 * One that writes by a listener of the container's, which would cut it on an exception, ends
 * between two calls of that.
 *
 * <p>The lock is held across a write to a client that may be slow. So {@link #close} never waits
 * for it: it sets {@code told} and tries; a writer reads {@code told} after its unlock and does
 * what is left. One of the two sees the other.
 */
final class EventStream implements LongLivedConnection {
  private final HttpServletRequest request;
  private final HttpServletResponse plain;
  private final BooleanSupplier mayEnd;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile boolean told;

  /** The request is not ours any more. Not guarded by the lock: a container's thread sets it. */
  private volatile boolean over;

  /**
   * @param plain the container's
   * @param mayEnd whether it may be completed now, no write being pending
   */
  EventStream(HttpServletRequest request, HttpServletResponse plain, BooleanSupplier mayEnd) {
    this.request = request;
    this.plain = plain;
    this.mayEnd = mayEnd;
  }

  @Override
  public String kind() {
    return "sse";
  }

  @Override
  public void close() {
    told = true;
    completeIfFree();
  }

  /**
   * Writes, unless the stream is ending; and then ends it, if it has been told to. A listener of
   * the container's is one write, and what it writes is part of that.
   *
   * @return false if it is ending, and nothing was written
   * @throws IOException from the write
   */
  boolean write(MarkedResponse.Write write) throws IOException {
    lock.lock();
    try {
      if (told && lock.getHoldCount() == 1) {
        return false;
      }
      write.run();
      return true;
    } finally {
      lock.unlock();
      if (told) {
        completeIfFree();
      }
    }
  }

  boolean isTold() {
    return told;
  }

  /** The response is complete: by this class, the application or the container. */
  void over() {
    over = true;
  }

  /** Not within the lock: a container may call the application, which may wait for its writers. */
  private void completeIfFree() {
    try {
      if (isOursToComplete()) {
        sayType();
        request.getAsyncContext().complete();
      }
    } catch (IllegalStateException dispatched) {
      // A container thread is at work on it, and its next write ends it; or it has just ended.
    }
  }

  /** Of one that was marked and has said nothing: a browser comes back to no other type. */
  private void sayType() {
    if (!plain.isCommitted() && plain.getContentType() == null) {
      plain.setContentType(EndlessResponse.EVENT_STREAM);
    }
  }

  private boolean isOursToComplete() {
    if (lock.isHeldByCurrentThread() || !lock.tryLock()) {
      return false;
    }
    try {
      boolean ours = !over && request.isAsyncStarted() && mayEnd.getAsBoolean();
      if (ours) {
        over = true;
      }
      return ours;
    } finally {
      lock.unlock();
    }
  }
}
