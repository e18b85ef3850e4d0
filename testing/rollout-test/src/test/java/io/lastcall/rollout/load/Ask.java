package io.lastcall.rollout.load;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Requests as the clients' tests send them. */
final class Ask {
  static final Request FAST = get(false);
  static final Request PIPELINED = get(true);

  /** Five pieces of 2,000 bytes; the answer is their number. */
  static final Request UPLOAD =
      new Request(
          "upload",
          "POST",
          "/upload",
          Map.of("Content-Type", "text/plain"),
          Collections.nCopies(5, new byte[2000]),
          Duration.ofMillis(7),
          false,
          Request.Expected.ok(body -> body.equals("10000")));

  private Ask() {}

  private static Request get(boolean pair) {
    return new Request(
        pair ? "pair" : "fast",
        "GET",
        "/fast",
        Map.of(),
        List.of(),
        Duration.ZERO,
        pair,
        Request.Expected.ok(body -> body.equals("ok")));
  }

  /** The fast one, but another answer is expected. */
  static Request of(String expected) {
    return new Request(
        "fast",
        "GET",
        "/fast",
        Map.of(),
        List.of(),
        Duration.ZERO,
        false,
        Request.Expected.ok(body -> body.equals(expected)));
  }

  static LoadSettings settings(Duration timeout) {
    return new LoadSettings(false, false, 3, true, timeout, timeout);
  }
}
