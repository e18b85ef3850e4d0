package io.lastcall.rollout.load;

import java.nio.ByteBuffer;

/** Reads a status that is a literal of HPACK, as it is or by its Huffman code (RFC 7541). */
final class HuffmanDigits {
  private static final int UNKNOWN = 999;
  private static final int CODED = 0x80;
  private static final int DIGITS = 3;

  private HuffmanDigits() {}

  /** The three digits whose length is next in the block; 999 if it is no status. */
  static int status(ByteBuffer block) {
    int head = block.get() & 0xFF;
    byte[] value = new byte[Math.min(head & 0x7F, block.remaining())];
    block.get(value);
    return (head & CODED) == 0 ? plain(value) : coded(value);
  }

  private static int plain(byte[] value) {
    int status = 0;
    for (byte digit : value) {
      if (digit < '0' || digit > '9') {
        return UNKNOWN;
      }
      status = 10 * status + digit - '0';
    }
    return value.length == DIGITS ? status : UNKNOWN;
  }

  /** 0 to 2 are codes of five bits, 0 to 2; 3 to 9 of six, 25 to 31: appendix B. */
  private static int coded(byte[] value) {
    long bits = 0;
    for (byte each : value) {
      bits = bits << Byte.SIZE | (each & 0xFF);
    }
    int left = Byte.SIZE * value.length;
    int status = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      if (left < 6) {
        return UNKNOWN;
      }
      int five = (int) (bits >> (left - 5)) & 0x1F;
      if (five <= 2) {
        status = 10 * status + five;
        left -= 5;
      } else {
        int six = (int) (bits >> (left - 6)) & 0x3F;
        if (six < 25 || six > 31) {
          return UNKNOWN;
        }
        status = 10 * status + six - 22;
        left -= 6;
      }
    }
    return status;
  }
}
