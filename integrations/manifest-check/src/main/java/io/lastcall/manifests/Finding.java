package io.lastcall.manifests;

/**
 * Something that is wrong, and where.
 *
 * @param message with the values it rests on
 */
record Finding(Rule rule, String file, int line, String message) {
  @Override
  public String toString() {
    return "%s:%d: %s %s: %s".formatted(file, line, rule.severity.word(), rule.id(), message);
  }
}
