package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Where frames begin and end, in whatever pieces their bytes come. */
class FramingTest {
  @Test
  void follow_nothing_isBetweenFramesAndHasNotBegun() {
    Framing framing = Framing.http2();
    framing.follow(ByteBuffer.allocate(0));
    assertTrue(framing.isBetweenFrames());
    assertFalse(framing.hasBegun());
  }

  @Test
  void follow_http2ByteByByte_isBetweenFramesAtTheirEndsOnly() {
    ByteBuffer bytes = ByteBuffer.allocate(9 + 260 + 9);
    bytes.putInt(260 << 8).position(9 + 260);
    assertEndsAt(Framing.http2(), bytes, 9 + 260, 9 + 260 + 9);
  }

  @Test
  void follow_tlsByteByByte_isBetweenRecordsAtTheirEndsOnly() {
    ByteBuffer bytes = ByteBuffer.allocate(5 + 300 + 5 + 1);
    bytes.put((byte) 23).putShort((short) 0x0303).putShort((short) 300).position(5 + 300);
    bytes.put((byte) 23).putShort((short) 0x0303).putShort((short) 1);
    assertEndsAt(Framing.tls(), bytes, 5 + 300, 5 + 300 + 5 + 1);
  }

  @Test
  void follow_framesAndAPartInOnePiece_isWithinTheLast() {
    ByteBuffer bytes = ByteBuffer.allocate(5 + 2 + 3);
    bytes.put((byte) 23).putShort((short) 0x0303).putShort((short) 2);
    Framing framing = Framing.tls();
    framing.follow(bytes.rewind());
    assertFalse(framing.isBetweenFrames());
  }

  private static void assertEndsAt(Framing framing, ByteBuffer bytes, int first, int second) {
    for (int seen = 1; seen <= bytes.capacity(); seen++) {
      framing.follow(bytes.duplicate().position(seen - 1).limit(seen));
      assertEquals(seen == first || seen == second, framing.isBetweenFrames(), "after " + seen);
    }
  }
}
