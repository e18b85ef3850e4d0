package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;

/**
 * The part of an exchange that follows its first asynchronous start: listens for its completion. A
 * container tells of that after a timeout and after an error too (Jakarta Servlet 6.0, section
 * 2.3.3.3), when those have been answered; so neither ends anything by itself.
 */
final class AsyncPart implements AsyncListener {
  private final Exchange exchange;
  private final AsyncContext first;

  /** The listeners that a later chain adds come after this one, and may still write. */
  private volatile boolean startedAgain;

  AsyncPart(Exchange exchange, AsyncContext first) {
    this.exchange = exchange;
    this.first = first;
  }

  /**
   * Called when the chain that has started it has returned, so that ours comes after the listeners
   * that the chain has added: one of them may still write. It is not too late then, since no
   * container tells of the end before its thread has left the chain.
   */
  void listen() {
    try {
      first.addListener(this);
    } catch (IllegalStateException forgotten) {
      exchange.over();
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    exchange.end(startedAgain || event.getThrowable() != null);
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    // The answer to a timeout is still to come; onComplete follows it.
  }

  @Override
  public void onError(AsyncEvent event) {
    // As with a timeout; but for a client that is gone Tomcat may tell of no completion.
    if (event.getThrowable() instanceof IOException) {
      exchange.over();
    }
  }

  /** A new start drops the listeners of the former one. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    startedAgain = true;
    event.getAsyncContext().addListener(this);
  }
}
