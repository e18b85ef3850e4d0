package io.lastcall.servlet.undertow;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * What arrives on a connection passes here, below Undertow's parsers; with TLS, decrypted. They
 * read the head of a request by {@link #read(ByteBuffer)} and by no other method. One thread at a
 * time reads: the I/O thread between requests, a worker within one.
 */
final class ArrivalConduit extends AbstractStreamSourceConduit<StreamSourceConduit> {
  private static final int DISCARD = 8192;

  /** A byte that {@link #hasInput} has read; the next read hands it out. */
  private final ByteBuffer ahead = ByteBuffer.allocate(1).limit(0);

  private volatile boolean unanswered;
  private volatile boolean discarding;

  /** Between the head of a request of HTTP/1 and the end of its exchange. */
  private volatile boolean withinRequest;

  ArrivalConduit(StreamSourceConduit next) {
    super(next);
  }

  /** Returns whether something has arrived of a request that is not answered. */
  boolean isUnanswered() {
    return unanswered;
  }

  /** Says that a request of HTTP/1 has begun. */
  void begun() {
    withinRequest = true;
  }

  /**
   * Says that the answer to a request is out.
   *
   * @param more whether a part of the next request was read together with it
   */
  void answered(boolean more) {
    withinRequest = false;
    unanswered = more;
  }

  /**
   * From now on hands out nothing but the peer's FIN. A request that crosses ours must not run,
   * since nobody could answer it; and it must be read, or the reset that follows takes the former
   * response with it where the client has not read it yet.
   */
  void discard() {
    discarding = true;
  }

  /** Asks the kernel, in the only way that XNIO has: reads. True also at the end of the stream. */
  boolean hasInput() throws IOException {
    if (!ahead.hasRemaining()) {
      ahead.clear();
      int read = next.read(ahead);
      ahead.flip();
      unanswered |= read > 0;
      return read != 0;
    }
    return true;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    if (discarding) {
      return discardInput();
    }
    int first = 0;
    if (ahead.hasRemaining() && to.hasRemaining()) {
      to.put(ahead);
      first = 1;
    }
    int read = next.read(to);
    unanswered |= read > 0;
    // An end of stream behind that byte is there the next time too.
    return first == 0 ? read : first + Math.max(0, read);
  }

  private int discardInput() throws IOException {
    ByteBuffer discarded = ByteBuffer.allocate(DISCARD);
    int read = next.read(discarded);
    while (read > 0) {
      discarded.clear();
      read = next.read(discarded);
    }
    return read;
  }

  /**
   * Not within a request: of a chunked body that nobody wants, behind an answer that says close,
   * Undertow shuts the socket for reading, and what is on its way is answered by a reset, which
   * takes the answer with it. Left alone it reads that body to its end, as it does where the
   * connection is kept.
   */
  @Override
  public void terminateReads() throws IOException {
    if (!withinRequest) {
      super.terminateReads();
    }
  }
}
