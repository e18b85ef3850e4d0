package io.lastcall.rollout.load;

/**
 * How one request ended, as its client saw it. Everything but {@link #OK} is a failure of some
 * kind.
 */
public enum Outcome {
  OK("ok"),
  /** Nobody listened. */
  REFUSED("refused"),
  /** The connection was reset before the first byte of a response. */
  RESET("reset"),
  /** The connection was closed before the first byte of a response. */
  EOF("eof"),
  /** A response began and did not end. */
  TRUNCATED("truncated"),
  /** A complete response with other content than was asked for, or none of HTTP at all. */
  WRONG_BODY("wrong body"),
  UNAVAILABLE("503"),
  OTHER_STATUS("other status"),
  TIMEOUT("timeout"),
  /**
   * Refused on behalf of a node that never learns, after the process had gone: no server can answer
   * that.
   */
  UNROUTABLE("unroutable: process gone");

  private final String label;

  Outcome(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
