package io.lastcall.servlet.undertow;

import io.lastcall.connection.Http2Leaving;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/**
 * The frames of an HTTP/2 connection on their way out, with a GOAWAY and a PING of ours between two
 * of them: Undertow's frames can be made by nobody else. Undertow writes by {@link
 * #write(ByteBuffer[], int, int)} and flushes behind each batch; all on the I/O thread.
 */
final class AnnouncingConduit extends AbstractStreamSinkConduit<StreamSinkConduit> {
  /** RFC 9113, section 6.8: last stream 2^31-1, no error. */
  private static final byte[] GOAWAY = {0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, -1, -1, -1, 0, 0, 0, 0};

  /** Section 6.7: eight bytes of anything follow. */
  private static final byte[] PING_HEADER = {0, 0, 8, 6, 0, 0, 0, 0, 0};

  private final Framing frames = Framing.http2();
  private @Nullable ByteBuffer announcement;

  AnnouncingConduit(StreamSinkConduit next) {
    super(next);
  }

  /** Returns whether a PING's answer is the answer to ours. */
  static boolean isAnswer(byte[] payload) {
    return ByteBuffer.wrap(payload).getLong() == Http2Leaving.PING;
  }

  /** Asks for it; the next flush writes it. Asking again changes nothing. */
  void announceClose() {
    if (announcement == null) {
      announcement =
          ByteBuffer.allocate(GOAWAY.length + PING_HEADER.length + Long.BYTES)
              .put(GOAWAY)
              .put(PING_HEADER)
              .putLong(Http2Leaving.PING)
              .flip();
    }
  }

  /**
   * Returns whether nothing of it is left to be written before other frames. A server's first frame
   * is its SETTINGS (RFC 9113, section 3.4).
   */
  private boolean announced() throws IOException {
    ByteBuffer left = announcement;
    if (left == null || !frames.hasBegun() || !frames.isBetweenFrames()) {
      return true;
    }
    while (left.hasRemaining() && next.write(left) > 0) {
      // A full socket ends it.
    }
    return !left.hasRemaining();
  }

  @Override
  public boolean flush() throws IOException {
    return announced() && next.flush();
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return (int) write(new ByteBuffer[] {from}, 0, 1);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int count) throws IOException {
    if (!announced()) {
      return 0;
    }
    ByteBuffer[] views = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      views[i] = from[offset + i].duplicate();
    }
    long written = next.write(from, offset, count);
    long left = written;
    for (ByteBuffer view : views) {
      int part = (int) Math.min(left, view.remaining());
      frames.follow(view.limit(view.position() + part));
      left -= part;
    }
    return written;
  }
}
