package io.lastcall.servlet;

import jakarta.servlet.http.HttpServletRequest;

/**
 * What the filter tells a container's connector of requests, and asks it. Called for every request;
 * an implementation ignores those that came by another connector. Thread-safe; must not block.
 */
public interface ContainerAdapter {
  /**
   * The request has turned out long-lived: it is not in flight any more, and DRAIN does not wait
   * for its connection. Called on whatever thread commits the response, or marks the request.
   */
  default void longLived(HttpServletRequest request) {}

  /**
   * The request has become asynchronous. Called at its first start, as a rule on the thread that
   * starts it.
   *
   * @param over to be run if the container ends the request without notifying its {@code
   *     AsyncListener}s
   */
  default void async(HttpServletRequest request, Runnable over) {}

  /**
   * Returns whether the client of the request has closed its connection, as far as the connector
   * knows. Called in DRAIN, on a thread of the library, while the request may be running or ending.
   */
  default boolean isClientGone(HttpServletRequest request) {
    return false;
  }

  /**
   * Returns what the gate said as the request's connection was accepted ({@code
   * RequestGate.acceptTime}); negative if unknown, and for requests of other connectors. Called
   * once a shutdown has begun, on the thread that brings the request to the filter.
   */
  default long acceptTime(HttpServletRequest request) {
    return -1;
  }
}
