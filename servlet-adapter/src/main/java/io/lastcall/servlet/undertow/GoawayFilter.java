package io.lastcall.servlet.undertow;

import io.undertow.server.protocol.framed.FrameHeaderData;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Frames of HTTP/2 on their way to Undertow's parser, those of a client's GOAWAY left out. The
 * parser takes in all of a frame but the payload of DATA, which Undertow reads elsewhere: so what
 * comes behind a frame that was parsed is the next one's header. Not thread-safe.
 */
final class GoawayFilter {
  /** RFC 9113, section 4.1: length, type, flags, stream. */
  private static final int HEADER_SIZE = 9;

  private static final int TYPE_AT = 3;

  /** Section 6.8. */
  private static final int GOAWAY = 7;

  /** Undertow's. */
  interface Parser {
    /** Returns null as long as a frame is incomplete. */
    @Nullable FrameHeaderData parse(ByteBuffer data) throws IOException;
  }

  private final Parser parser;
  private final ByteBuffer header = ByteBuffer.allocate(HEADER_SIZE);

  /** The parser has begun with a frame. */
  private boolean withinFrame;

  /** What is still to come of one that is left out. */
  private int left;

  /**
   * @param withinFrame whether a part of a frame was parsed before
   */
  GoawayFilter(boolean withinFrame, Parser parser) {
    this.withinFrame = withinFrame;
    this.parser = parser;
  }

  @Nullable FrameHeaderData parse(ByteBuffer data) throws IOException {
    while (!withinFrame) {
      int skipped = Math.min(left, data.remaining());
      data.position(data.position() + skipped);
      left -= skipped;
      while (header.hasRemaining() && data.hasRemaining()) {
        header.put(data.get());
      }
      if (header.hasRemaining()) {
        return null;
      }
      header.flip();
      if (header.get(TYPE_AT) == GOAWAY) {
        left = header.getInt(0) >>> Byte.SIZE;
      } else {
        FrameHeaderData whole = parser.parse(header);
        withinFrame = whole == null;
        if (whole != null) {
          header.clear();
          return whole;
        }
      }
      header.clear();
    }
    FrameHeaderData frame = data.hasRemaining() ? parser.parse(data) : null;
    withinFrame = frame == null;
    return frame;
  }
}
