package io.lastcall.servlet;

import io.lastcall.inflight.AcceptedConnection;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

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
   * The request is a probe, whose answer may hang, or wait for the end of DRAIN: DRAIN does not
   * wait for the answer.
   */
  default void probed(HttpServletRequest request) {}

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
   * Returns the request's connection as the gate knows it ({@code RequestGate.accepted}); null if
   * that is not known, and for requests of other connectors. Called on the thread that brings the
   * request to the filter, with adaptive propagation or once a shutdown has begun.
   */
  default @Nullable AcceptedConnection accepted(HttpServletRequest request) {
    return null;
  }
}
