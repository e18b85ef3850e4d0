package io.lastcall.rollout.load;

/** What came back for one request: a whole response, or how it broke. */
public sealed interface Reply {

  /**
   * A response that was received to its end.
   *
   * @param close the response said {@code Connection: close}, or ended with the connection
   */
  record Complete(int status, boolean close, String body) implements Reply {}

  /** No whole response. */
  record Broken(Outcome outcome, String detail) implements Reply {}
}
