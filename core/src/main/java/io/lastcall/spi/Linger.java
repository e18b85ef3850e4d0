package io.lastcall.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * How a connection ends while a server leaves: a FIN, and reading on until the peer's (RFC 9112,
 * section 9.6). Closing right after a response would reset a peer that is still sending, and a
 * reset takes from it what it has not read yet. Stateless.
 */
public final class Linger {
  /** How long a half-closed connection waits for the peer's FIN: 2 s, as Apache httpd. */
  public static final Duration LIMIT = Duration.ofSeconds(2);

  /**
   * How much of that CLOSE_CONNECTIONS waits for: 250 ms, more than a far client's answer takes.
   */
  public static final Duration AWAITED = Duration.ofMillis(250);

  private static final int DISCARD = 8192;

  private Linger() {}

  /**
   * Reads what has arrived on a half-closed connection, past any TLS, and drops it. Does not block
   * on a non-blocking channel.
   *
   * @return whether the peer may still send; if not, close
   */
  public static boolean discardInput(SocketChannel channel) {
    ByteBuffer discarded = ByteBuffer.allocate(DISCARD);
    try {
      int read = channel.read(discarded);
      while (read > 0) {
        read = channel.read(discarded.clear());
      }
      return read == 0;
    } catch (IOException gone) {
      return false;
    }
  }
}
