package io.lastcall.servlet.undertow;

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
  private static final int FRAME_HEADER = 9;

  /** RFC 9113, section 6.8: last stream 2^31-1, no error; section 6.7: eight bytes of anything. */
  private static final byte[] GOAWAY_AND_PING = {
    0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, -1, -1, -1, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0, 0, 0, 'l', 'a',
    's', 't', 'c', 'a', 'l', 'l'
  };

  /** How much of the frame that is being written is still to come; its header counts first. */
  private int header = FRAME_HEADER;

  private int length;
  private int payload;

  /** A server's first frame are its SETTINGS (RFC 9113, section 3.4). */
  private boolean begun;

  private @Nullable ByteBuffer announcement;

  AnnouncingConduit(StreamSinkConduit next) {
    super(next);
  }

  /** Asks for it; the next flush writes it. Asking again changes nothing. */
  void announce() {
    if (announcement == null) {
      announcement = ByteBuffer.wrap(GOAWAY_AND_PING);
    }
  }

  /** Returns whether nothing of it is left to be written before other frames. */
  private boolean announced() throws IOException {
    ByteBuffer frames = announcement;
    if (frames == null || !begun || header != FRAME_HEADER || payload > 0) {
      return true;
    }
    while (frames.hasRemaining() && next.write(frames) > 0) {
      // A full socket ends it.
    }
    return !frames.hasRemaining();
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
      follow(view.limit(view.position() + part));
      left -= part;
    }
    return written;
  }

  /** The length is the header's first three bytes (RFC 9113, section 4.1). */
  private void follow(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (header > 0) {
        int b = bytes.get() & 0xFF;
        if (header > FRAME_HEADER - 3) {
          length = length << Byte.SIZE | b;
        }
        if (--header == 0) {
          payload = length;
        }
      } else {
        int part = Math.min(payload, bytes.remaining());
        bytes.position(bytes.position() + part);
        payload -= part;
      }
      if (header == 0 && payload == 0) {
        header = FRAME_HEADER;
        length = 0;
        begun = true;
      }
    }
  }
}
