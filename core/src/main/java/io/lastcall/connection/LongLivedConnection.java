package io.lastcall.connection;

import java.io.IOException;
import java.time.Duration;

/** A connection, or a stream on one, that lasts until somebody ends it. */
public interface LongLivedConnection {
  /**
   * How long a client has to answer once it has been told: a few round trips from far away. Less
   * where CLOSE_CONNECTIONS itself has no more.
   */
  Duration ANSWER = Duration.ofSeconds(1);

  /**
   * Returns its kind for counts and reports, such as {@code websocket} or {@code sse}. A constant:
   * called once, by the thread that registers it.
   */
  String kind();

  /**
   * Begins to end it in its protocol's way: a close frame 1001, the end of an event stream. Called
   * once, from CLOSE_CONNECTIONS on: by a thread of the library's, or by the thread that registers
   * it where that comes later. Must not block. When it is gone, the adapter calls {@link
   * Registration#closed()}.
   *
   * @throws IOException if its client cannot be told; like anything else that is thrown, it is
   *     logged, and the connection counts as gone
   */
  void close() throws IOException;

  /**
   * Lets go of a client that has had {@link #ANSWER} and has not answered: a phone without a
   * network would hold CLOSE_CONNECTIONS to its end. Called by a thread of the library's, again and
   * again after as long. Must not block; what it throws is logged, and the connection counts as
   * gone.
   *
   * @return whether nothing but the client is awaited, so that the connection counts as gone. False
   *     if something of the server's is at work on it, or nobody can tell, which is the default: it
   *     is then awaited until the phase's time is over
   */
  default boolean giveUp() {
    return false;
  }
}
