package io.lastcall.drill;

/**
 * Which of the two servers is rolled: the same program with the library switched off, or with it.
 */
enum Mode {
  NAIVE("naive"),
  LASTCALL("lastcall");

  private final String label;

  Mode(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
