package io.lastcall.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.OptionalLong;

/**
 * What the filter tells a container's adapter of requests, and asks it. Each hears of every
 * request, and passes over those of other connectors. Implementations are thread-safe and must not
 * block.
 */
public interface ContainerAdapter {
  /**
   * The request has turned out long-lived: it is not in flight any more, and its connection is owed
   * no answer. Called on whatever thread commits the response, or marks the request.
   */
  default void longLived(HttpServletRequest request) {}

  /**
   * The filter lets go of the request with an error page still to be written, if the container has
   * one: nobody counts it any more, and its connection is owed that page. Called on the thread that
   * ends the request, before the permit is released.
   */
  default void errorPageToCome(HttpServletRequest request) {}

  /**
   * The request has become asynchronous. Called for each start, as a rule on the thread that starts
   * it.
   *
   * @param over to be run if the container ends the request without a word to its {@code
   *     AsyncListener}s: then it is over
   */
  default void async(HttpServletRequest request, Runnable over) {}

  /**
   * Returns whether the connector decides for itself, at the commit of the head, how a body of
   * unknown length ends. For others the filter has it sent in chunks where that is possible, and
   * must say so before: a body that turns out to fit the buffer then loses its {@code
   * Content-Length}. Called once a shutdown has begun, before each head, on the thread that writes.
   */
  default boolean isFramedAtCommit(HttpServletRequest request) {
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

  /**
   * Returns whether {@link #begun} knows: then the filter reads no clock for each request, and
   * knows no age of the requests of other connectors.
   */
  default boolean knowsBegin() {
    return false;
  }

  /**
   * Returns when the request began, in nanoseconds of {@link System#nanoTime()}; empty for those of
   * other connectors. Called for a request in flight, on the thread that reports on it; what it
   * throws if the request is over by then counts as empty.
   */
  default OptionalLong begun(HttpServletRequest request) {
    return OptionalLong.empty();
  }
}
