package io.lastcall.servlet.jetty;

import java.nio.ByteBuffer;

/**
 * Follows the boundaries of TLS records in what arrives (RFC 8446, section 5.1: a header of five
 * bytes, the last two of them the length of what follows). Jetty does not tell whether a part of
 * one has been read. Not thread-safe: belongs to whoever may read.
 */
final class TlsRecords {
  private static final int HEADER = 5;

  private int headerLeft = HEADER;
  private int bodyLeft;

  boolean isWithin() {
    return headerLeft < HEADER;
  }

  /** Takes note of the last {@code count} bytes of {@code buffer}. */
  void read(ByteBuffer buffer, int count) {
    int end = buffer.limit();
    int at = end - count;
    while (at < end) {
      if (headerLeft > 0) {
        bodyLeft = ((bodyLeft << Byte.SIZE) | (buffer.get(at) & 0xFF)) & 0xFFFF;
        at++;
        headerLeft--;
      } else {
        int step = Math.min(bodyLeft, end - at);
        at += step;
        bodyLeft -= step;
      }
      if (headerLeft == 0 && bodyLeft == 0) {
        headerLeft = HEADER;
      }
    }
  }
}
