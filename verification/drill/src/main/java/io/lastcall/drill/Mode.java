package io.lastcall.drill;

/**
 * Which server is rolled: the same program with the library switched off, with it, or with it
 * switched off and the agent in its place.
 */
enum Mode {
  NAIVE("naive"),
  LASTCALL("lastcall"),
  AGENT("agent");

  private final String label;

  Mode(String label) {
    this.label = label;
  }

  /** Whether Lastcall drains it, the one way or the other. */
  boolean isDrained() {
    return this != NAIVE;
  }

  /** What a page calls it. */
  String title() {
    return switch (this) {
      case NAIVE -> "Without Lastcall";
      case LASTCALL -> "With Lastcall";
      case AGENT -> "With Lastcall's agent";
    };
  }

  String label() {
    return label;
  }
}
