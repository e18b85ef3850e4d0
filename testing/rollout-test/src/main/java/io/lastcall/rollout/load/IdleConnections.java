package io.lastcall.rollout.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The idle keep-alive connections of one node: last in, first out, as in most pools, so that some
 * stay unused for long and meet the server's FIN. Thread-safe.
 */
final class IdleConnections implements AutoCloseable {
  private final Deque<HttpConnection> idle = new ArrayDeque<>();
  private final int limit;
  private boolean closed;

  IdleConnections(int limit) {
    this.limit = limit;
  }

  /** A connection the server has not ended so far, if there is one. */
  synchronized Optional<HttpConnection> take() {
    for (HttpConnection next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      if (next.isUsable()) {
        return Optional.of(next);
      }
      next.close();
    }
    return Optional.empty();
  }

  synchronized boolean isEmpty() {
    return idle.isEmpty();
  }

  synchronized void give(HttpConnection connection) {
    if (closed || idle.size() >= limit) {
      connection.close();
    } else {
      idle.addFirst(connection);
    }
  }

  /** Closes the ones the server has ended, as a pool does that watches its connections. */
  synchronized void closeEnded() {
    for (Iterator<HttpConnection> all = idle.iterator(); all.hasNext(); ) {
      HttpConnection connection = all.next();
      if (!connection.isUsable()) {
        connection.close();
        all.remove();
      }
    }
  }

  @Override
  public void close() {
    List<HttpConnection> rest;
    synchronized (this) {
      closed = true;
      rest = new ArrayList<>(idle);
      idle.clear();
    }
    rest.forEach(HttpConnection::close);
  }
}
