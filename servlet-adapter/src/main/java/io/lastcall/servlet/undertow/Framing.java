package io.lastcall.servlet.undertow;

import java.nio.ByteBuffer;

/**
 * Follows a stream of bytes that is cut into frames, each with a header that tells its length, and
 * knows whether one has begun that is not complete. Not thread-safe.
 */
final class Framing {
  private final int headerSize;
  private final int lengthBegin;
  private final int lengthEnd;

  private int headerSeen;
  private int length;
  private int payloadLeft;
  private boolean begun;

  private Framing(int headerSize, int lengthBegin, int lengthEnd) {
    this.headerSize = headerSize;
    this.lengthBegin = lengthBegin;
    this.lengthEnd = lengthEnd;
  }

  /** RFC 9113, section 4.1. */
  static Framing http2() {
    return new Framing(9, 0, 3);
  }

  /** RFC 8446, section 5.1, and the same since SSL 3.0. */
  static Framing tls() {
    return new Framing(5, 3, 5);
  }

  /** Returns whether there was a frame at all. */
  boolean hasBegun() {
    return begun;
  }

  boolean isBetweenFrames() {
    return headerSeen == 0;
  }

  /** Takes note of {@code bytes}, to their end. */
  void follow(ByteBuffer bytes) {
    begun |= bytes.hasRemaining();
    while (bytes.hasRemaining()) {
      if (headerSeen < headerSize) {
        header(bytes.get() & 0xFF);
      } else {
        int part = Math.min(payloadLeft, bytes.remaining());
        bytes.position(bytes.position() + part);
        payloadLeft -= part;
      }
      if (headerSeen == headerSize && payloadLeft == 0) {
        headerSeen = 0;
        length = 0;
      }
    }
  }

  private void header(int value) {
    if (headerSeen >= lengthBegin && headerSeen < lengthEnd) {
      length = length << Byte.SIZE | value;
    }
    if (++headerSeen == headerSize) {
      payloadLeft = length;
    }
  }
}
