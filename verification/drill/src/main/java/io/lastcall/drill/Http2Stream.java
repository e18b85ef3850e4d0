package io.lastcall.drill;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * One request of an HTTP/2 connection, as its answer comes in. The connection's reader fills it.
 */
final class Http2Stream {
  /** The server may not index, so that a status is of the static table, or a literal. */
  private static final int[] STATUS = {200, 204, 206, 304, 400, 404, 500};

  private static final int FIRST_STATUS = 0x88;

  /** Literals of a field whose name is {@code :status}: RFC 7541, section 6.2. */
  private static final String STATUS_LITERALS = "\u0008\u0018H";

  /** 503, as it is and by Huffman's code. */
  private static final ByteBuffer UNAVAILABLE = ByteBuffer.wrap(new byte[] {3, '5', '0', '3'});

  private static final ByteBuffer UNAVAILABLE_HUFFMAN =
      ByteBuffer.wrap(new byte[] {(byte) 0x83, 0x6C, 0x0C, (byte) 0xFF});

  private static final int UNKNOWN = 999;

  /** Set before anything is sent. */
  int id;

  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final StringBuilder body = new StringBuilder();
  private int status;

  CompletableFuture<Reply> reply() {
    return reply;
  }

  /** The first header block has the status, in front; one of trailers has none. */
  void headers(ByteBuffer block) {
    if (status != 0) {
      return;
    }
    int first = block.get() & 0xFF;
    while ((first & 0xE0) == 0x20) { // the table's new size: 0
      first = block.get() & 0xFF;
    }
    int index = first - FIRST_STATUS;
    if (index >= 0 && index < STATUS.length) {
      status = STATUS[index];
    } else if (STATUS_LITERALS.indexOf(first) >= 0) {
      ByteBuffer value = block.slice().limit(4);
      boolean unavailable = value.equals(UNAVAILABLE) || value.equals(UNAVAILABLE_HUFFMAN);
      status = unavailable ? 503 : UNKNOWN;
    } else {
      status = UNKNOWN;
    }
  }

  void data(ByteBuffer data) {
    body.append(StandardCharsets.ISO_8859_1.decode(data));
  }

  /**
   * It has ended.
   *
   * @param leaving the connection takes no more
   */
  void complete(boolean leaving) {
    reply.complete(new Reply.Complete(status, leaving, body.toString()));
  }

  /** It has not; an answer that had begun is cut. */
  void broken(Outcome outcome, String detail) {
    reply.complete(new Reply.Broken(status == 0 ? outcome : Outcome.TRUNCATED, detail));
  }
}
