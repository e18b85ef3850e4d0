package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import org.jspecify.annotations.Nullable;

/**
 * What of an exchange comes behind its first asynchronous start: listens for the container's word
 * that it is complete. A container says so after a timeout and after an error too (Jakarta Servlet
 * 6.0, section 2.3.3.3), when the answer to those has been given; so those two end nothing by
 * themselves.
 */
final class AsyncPart implements AsyncListener {
  private final Exchange exchange;
  private final AsyncContext first;

  /** The chain of a dispatch, while that runs. */
  private volatile @Nullable LaterChain later;

  AsyncPart(Exchange exchange, AsyncContext first) {
    this.exchange = exchange;
    this.first = first;
  }

  /** Any further start is the container's to tell, by {@link #onStartAsync}. */
  void startedAgain(AsyncContext context) {
    LaterChain chain = later;
    if (chain != null) {
      chain.seen(context);
    }
  }

  /**
   * Called when the chain that has started it is through, so that ours comes behind the listeners
   * that the chain has added: one of them may still write. It is not too late then, since no
   * container tells anybody of the end before its thread has left the chain.
   */
  void listen() {
    listen(first);
  }

  private void listen(AsyncContext context) {
    try {
      context.addListener(this);
    } catch (IllegalStateException forgotten) {
      exchange.over();
    }
  }

  /**
   * The chain of a dispatch begins.
   *
   * @return null if it is within one already
   */
  @Nullable LaterChain dispatched() {
    if (later != null) {
      return null;
    }
    LaterChain chain = new LaterChain(this);
    later = chain;
    return chain;
  }

  /** {@code chain} is through. */
  void returned(LaterChain chain, boolean failed) {
    later = null;
    AsyncContext again = chain.through();
    if (again != null) {
      listen(again);
    } else if (chain.isCompleted()) {
      exchange.end(failed);
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    LaterChain chain = later;
    if (chain == null || !chain.completed()) {
      exchange.end(event.getThrowable() != null);
    }
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    // The answer to a timeout is still to come; onComplete follows it.
  }

  @Override
  public void onError(AsyncEvent event) {
    // As with a timeout.
  }

  /** A new start drops the listeners of the former one. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    exchange.announceAsync();
    AsyncContext context = event.getAsyncContext();
    LaterChain chain = later;
    if (chain == null || !chain.toldOf(context)) {
      context.addListener(this);
    }
  }
}
