package io.lastcall.rollout.load;

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

  /** A literal's name is one of the static table's entries for {@code :status}. */
  private static final int FIRST_NAME = 8;

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
    } else {
      status = isStatusLiteral(first) ? HuffmanDigits.status(block) : UNKNOWN;
    }
  }

  /** Of the three forms that RFC 7541, sections 6.2.1 to 6.2.3, has. */
  private static boolean isStatusLiteral(int first) {
    int name = (first & 0xC0) == 0x40 ? first & 0x3F : first & 0x0F;
    return first < 0x80 && name >= FIRST_NAME && name < FIRST_NAME + STATUS.length;
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
