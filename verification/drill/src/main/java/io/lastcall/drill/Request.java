package io.lastcall.drill;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * One request, and what its answer has to be.
 *
 * @param body in pieces; none for a GET
 * @param gap the pause before each piece: a client that is slow to send
 * @param expected the body that the example servers promise
 */
record Request(String method, String target, List<byte[]> body, Duration gap, Expected expected) {
  private static final int WORK_BODY = 1000;
  private static final int STREAM_PIECE = 100;
  private static final int STREAM_MILLIS_PER_PIECE = 100;
  private static final int LARGEST_FAST_BODY = 4096;
  private static final int UPLOAD_PIECES = 5;
  private static final int UPLOAD_PIECE = 2000;

  Request {
    body = List.copyOf(body);
  }

  /** What a body has to be. */
  private interface Expected {
    boolean accepts(String body);
  }

  static Request of(RequestKind kind, int millis) {
    return switch (kind) {
      case FAST, PIPELINED ->
          get("/fast", body -> body.length() > 0 && body.length() <= LARGEST_FAST_BODY);
      case SLOW -> get("/work?ms=" + millis, body -> body.length() == WORK_BODY);
      case ASYNC -> get("/work?ms=" + millis + "&async=true", body -> body.length() == WORK_BODY);
      case STREAM -> stream(millis);
      case UPLOAD -> upload(millis);
    };
  }

  private static Request stream(int millis) {
    int pieces = Math.max(1, millis / STREAM_MILLIS_PER_PIECE);
    int length = pieces * STREAM_PIECE;
    return get("/stream?ms=" + pieces * STREAM_MILLIS_PER_PIECE, body -> body.length() == length);
  }

  private static Request get(String target, Expected expected) {
    return new Request("GET", target, List.of(), Duration.ZERO, expected);
  }

  /** A body that takes a third of the time to send, in several pieces with gaps between them. */
  private static Request upload(int millis) {
    byte[] piece = new byte[UPLOAD_PIECE];
    Arrays.fill(piece, (byte) 'u');
    String answer = Integer.toString(UPLOAD_PIECES * UPLOAD_PIECE);
    return new Request(
        "POST",
        "/upload",
        Collections.nCopies(UPLOAD_PIECES, piece),
        Duration.ofMillis(millis).dividedBy(3L * UPLOAD_PIECES),
        body -> body.strip().equals(answer));
  }

  int length() {
    return body.stream().mapToInt(piece -> piece.length).sum();
  }

  /** The head as HTTP/1.1 has it. */
  String head() {
    String fields =
        body.isEmpty()
            ? ""
            : "Content-Type: application/octet-stream\r\nContent-Length: " + length() + "\r\n";
    return method
        + " "
        + target
        + " HTTP/1.1\r\nHost: service\r\nUser-Agent: drill\r\n"
        + fields
        + "\r\n";
  }

  /** The outcome that a reply to this request amounts to. */
  Outcome judge(Reply reply) {
    if (reply instanceof Reply.Broken broken) {
      return broken.outcome();
    }
    Reply.Complete complete = (Reply.Complete) reply;
    if (complete.status() == 503) {
      return Outcome.UNAVAILABLE;
    }
    if (complete.status() != 200) {
      return Outcome.OTHER_STATUS;
    }
    return expected.accepts(complete.body()) ? Outcome.OK : Outcome.WRONG_BODY;
  }
}
