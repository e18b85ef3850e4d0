package io.lastcall.drill;

import io.lastcall.rollout.load.Request;
import io.lastcall.rollout.load.Request.Expected;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The drill's requests, and the answers that the example servers promise. */
final class Requests {
  private static final Map<String, String> FIELDS = Map.of("User-Agent", "drill");
  private static final Map<String, String> UPLOAD_FIELDS =
      Map.of("User-Agent", "drill", "Content-Type", "application/octet-stream");

  private static final int WORK_BODY = 1000;
  private static final int STREAM_PIECE = 100;
  private static final int STREAM_MILLIS_PER_PIECE = 100;
  private static final int LARGEST_FAST_BODY = 4096;
  private static final int UPLOAD_PIECES = 5;
  private static final int UPLOAD_PIECE = 2000;

  private Requests() {}

  static Request of(RequestKind kind, int millis) {
    return switch (kind) {
      case FAST, PIPELINED ->
          get(
              kind,
              "/fast",
              Expected.ok(body -> body.length() > 0 && body.length() <= LARGEST_FAST_BODY));
      case SLOW -> get(kind, "/work?ms=" + millis, Expected.ok(Requests::isOfWork));
      case ASYNC ->
          get(kind, "/work?ms=" + millis + "&async=true", Expected.ok(Requests::isOfWork));
      case STREAM -> stream(kind, millis);
      case EVENTS -> events(kind, millis);
      case UPLOAD -> upload(kind, millis);
    };
  }

  private static boolean isOfWork(String body) {
    return body.length() == WORK_BODY;
  }

  private static Request stream(RequestKind kind, int millis) {
    int pieces = Math.max(1, millis / STREAM_MILLIS_PER_PIECE);
    int length = pieces * STREAM_PIECE;
    return get(
        kind,
        "/stream?ms=" + pieces * STREAM_MILLIS_PER_PIECE,
        Expected.ok(body -> body.length() == length));
  }

  /** Each piece is an event. One that is missing, or cut, makes the body shorter. */
  private static Request events(RequestKind kind, int millis) {
    int pieces = Math.max(1, millis / STREAM_MILLIS_PER_PIECE);
    int length = pieces * STREAM_PIECE;
    return new Request(
        kind.label(),
        "POST",
        "/stream?ms=" + pieces * STREAM_MILLIS_PER_PIECE,
        UPLOAD_FIELDS,
        List.of(new byte[] {'{', '}'}),
        Duration.ZERO,
        false,
        Expected.ok(
            body -> body.length() == length && body.startsWith("data:") && body.endsWith("\n\n")));
  }

  private static Request get(RequestKind kind, String target, Expected expected) {
    boolean pair = kind == RequestKind.PIPELINED;
    return new Request(
        kind.label(), "GET", target, FIELDS, List.of(), Duration.ZERO, pair, expected);
  }

  /** A body that takes a third of the time to send, in several pieces with gaps between them. */
  private static Request upload(RequestKind kind, int millis) {
    byte[] piece = new byte[UPLOAD_PIECE];
    Arrays.fill(piece, (byte) 'u');
    String answer = Integer.toString(UPLOAD_PIECES * UPLOAD_PIECE);
    return new Request(
        kind.label(),
        "POST",
        "/upload",
        UPLOAD_FIELDS,
        Collections.nCopies(UPLOAD_PIECES, piece),
        Duration.ofMillis(millis).dividedBy(3L * UPLOAD_PIECES),
        false,
        Expected.ok(body -> body.strip().equals(answer)));
  }
}
