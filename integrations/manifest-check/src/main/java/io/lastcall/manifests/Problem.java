package io.lastcall.manifests;

/** A file, or a part of one, that could not be checked. */
record Problem(String file, int line, String message) {
  @Override
  public String toString() {
    return "%s:%d: unreadable: %s".formatted(file, line, message);
  }
}
