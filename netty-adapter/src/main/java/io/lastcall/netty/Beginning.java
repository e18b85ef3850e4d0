package io.lastcall.netty;

import io.netty.buffer.ByteBuf;

/** The first bytes of a connection, after its PROXY header if it has one. Event loop only. */
final class Beginning {
  /** RFC 9113, section 3.4. */
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** PROXY protocol, sections 2.1 and 2.2. */
  private static final String PROXY_1 = "PROXY ";

  private static final String PROXY_2 = "\r\n\r\n\0\r\nQUIT\n";

  /** The fixed part of a version 2 header; its last two bytes are the length of the rest. */
  private static final int PROXY_2_FIXED = 16;

  /** The longest header that a proxy is to send. */
  private static final int LONGEST_PROXY = 536;

  private final StringBuilder known = new StringBuilder();

  /** Takes note of the next byte of {@code bytes}. */
  void add(ByteBuf bytes) {
    known.append(next(bytes));
    if (known.length() == proxyHeader(known.toString())) {
      known.setLength(0);
    }
  }

  /** Takes note of {@code bytes}; returns whether some are part of neither preface nor header. */
  boolean isOverWith(ByteBuf bytes) {
    ByteBuf rest = bytes.duplicate();
    while (rest.isReadable()) {
      if (isHttp1With(rest)) {
        return true;
      }
      add(rest);
      rest.skipBytes(1);
    }
    return false;
  }

  private static char next(ByteBuf bytes) {
    return (char) bytes.getUnsignedByte(bytes.readerIndex());
  }

  /** Returns whether a codec would be there by now. */
  boolean isTooLong() {
    return known.length() > LONGEST_PROXY;
  }

  /** Returns whether the next byte of {@code bytes} is part of neither preface nor header. */
  boolean isHttp1With(ByteBuf bytes) {
    String begun = known.toString() + next(bytes);
    return !PREFACE.startsWith(begun)
        && !PROXY_1.startsWith(begun)
        && !PROXY_2.startsWith(begun)
        && proxyHeader(begun) == 0;
  }

  /** Returns the length of the header that {@code begun} is part of, or a bound; 0 if of none. */
  private static int proxyHeader(String begun) {
    if (begun.startsWith(PROXY_1)) {
      int end = begun.indexOf('\n') + 1;
      return end > 0 ? end : LONGEST_PROXY;
    }
    if (begun.startsWith(PROXY_2)) {
      return begun.length() < PROXY_2_FIXED
          ? LONGEST_PROXY
          : PROXY_2_FIXED + (begun.charAt(14) << Byte.SIZE) + begun.charAt(15);
    }
    return 0;
  }
}
