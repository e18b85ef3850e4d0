package io.lastcall.servlet.jetty;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * What a connection that Jetty closes has left while the server leaves: a FIN, and reading on until
 * the peer's (RFC 9112, section 9.6). Jetty closes right behind a WebSocket's 1001 and behind an
 * answer that says close. A peer that is still sending would be reset, and a reset takes from it
 * what it has not read yet.
 */
final class Linger {
  /** How long a half-closed connection waits for the peer; Apache httpd lingers as long. */
  static final Duration LIMIT = Duration.ofSeconds(2);

  /** How much of that the sequence waits for: what an answer takes to come, even from far away. */
  static final Duration AWAITED = Duration.ofMillis(250);

  private static final int DISCARD = 8192;

  private final SocketChannel channel;
  private volatile boolean begun;

  Linger(SocketChannel channel) {
    this.channel = channel;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Half-closes. Returns whether the peer may still send; if not, close. */
  boolean begin() {
    begun = true;
    try {
      channel.shutdownOutput();
      return discardInput();
    } catch (IOException gone) {
      return false;
    }
  }

  /** Reads of what has come. Returns whether the peer may still send; if not, close. */
  boolean discardInput() {
    try {
      return channel.read(ByteBuffer.allocate(DISCARD)) >= 0;
    } catch (IOException gone) {
      return false;
    }
  }
}
