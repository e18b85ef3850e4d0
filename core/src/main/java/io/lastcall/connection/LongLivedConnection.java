package io.lastcall.connection;

import java.io.IOException;
import java.time.Duration;

/** A connection, or a stream on one, that lasts until one of its sides ends it. */
public interface LongLivedConnection {
  /**
   * How long a client has to answer a close: one second, a few round trips from far away. Less
   * where CLOSE_CONNECTIONS itself has no more.
   */
  Duration ANSWER = Duration.ofSeconds(1);

  /** Returns its kind for counts and reports, such as {@code websocket}. Called once. */
  String kind();

  /**
   * Begins to end it in its protocol's way: a close frame 1001, the end of an event stream. Called
   * once, from CLOSE_CONNECTIONS on, by a thread of the library or by the registering thread. Must
   * not block. When the connection is gone, the adapter calls {@code Registration.closed()}.
   *
   * @throws IOException if the client cannot be notified; whatever is thrown is logged, and the
   *     connection counts as gone
   */
  void close() throws IOException;

  /**
   * Called once the connection was told to close and its client has not answered within {@link
   * #ANSWER}: a phone without a network would hold CLOSE_CONNECTIONS to its end. Called by a thread
   * of the library, and again after as long each time. Must not block; a failure is logged, and the
   * connection counts as gone.
   *
   * @return whether the connection counts as gone: true, the default. False if the server itself
   *     still works on it and must not be cut: it is then waited for until the phase ends
   */
  default boolean forceClose() {
    return true;
  }
}
