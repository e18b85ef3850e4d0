package io.lastcall.connection;

import java.io.IOException;

/** A connection, or a stream on one, that lasts until somebody ends it. */
public interface LongLivedConnection {

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
}
