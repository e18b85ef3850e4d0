package io.lastcall.probe;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The paths that are not traffic. */
enum ProbePath {
  LIVEZ("/livez", false, "GET", "HEAD"),
  READYZ("/readyz", false, "GET", "HEAD"),
  STARTUPZ("/startupz", false, "GET", "HEAD"),
  PRESTOP("/prestop", true, "GET", "POST"),
  LAMEDUCK("/lameduck", true, "POST", "DELETE");

  private final String path;
  private final boolean guarded;
  private final String method;
  private final String otherMethod;

  ProbePath(String path, boolean guarded, String method, String otherMethod) {
    this.path = path;
    this.guarded = guarded;
    this.method = method;
    this.otherMethod = otherMethod;
  }

  /**
   * Finds the path of a request target; its query and a doubled leading slash do not count
   * (kubelets have sent {@code //prestop}). On the path of every request: the second character
   * tells ordinary traffic from probes, and nothing is allocated.
   */
  static @Nullable ProbePath of(CharSequence target) {
    int start = pathStart(target);
    if (target.length() < start + 2) {
      return null;
    }
    ProbePath candidate =
        switch (target.charAt(start + 1)) {
          case 'l' -> LIVEZ.isAt(target, start) ? LIVEZ : LAMEDUCK;
          case 'r' -> READYZ;
          case 's' -> STARTUPZ;
          case 'p' -> PRESTOP;
          default -> null;
        };
    return candidate != null && candidate.isAt(target, start) ? candidate : null;
  }

  private static int pathStart(CharSequence target) {
    int first = isSlash(target, 0) ? 0 : authorityEnd(target);
    return isSlash(target, first) && isSlash(target, first + 1) ? first + 1 : first;
  }

  /** For the absolute form, {@code http://host/path}: servers must accept it (RFC 9112, 3.2.2). */
  private static int authorityEnd(CharSequence target) {
    int length = target.length();
    int at = 0;
    while (at + 2 < length
        && !(target.charAt(at) == ':' && isSlash(target, at + 1) && isSlash(target, at + 2))) {
      at++;
    }
    at += 3;
    while (at < length && target.charAt(at) != '/' && target.charAt(at) != '?') {
      at++;
    }
    return Math.min(at, length);
  }

  private static boolean isSlash(CharSequence target, int at) {
    return at < target.length() && target.charAt(at) == '/';
  }

  private boolean isAt(CharSequence target, int start) {
    int end = start + path.length();
    if (target.length() < end) {
      return false;
    }
    for (int i = 0; i < path.length(); i++) {
      if (target.charAt(start + i) != path.charAt(i)) {
        return false;
      }
    }
    if (end == target.length()) {
      return true;
    }
    char next = target.charAt(end);
    return next == '?' || (guarded && next == '/');
  }

  /** Returns the text after the path: the token of a client that sends no headers. */
  String segment(String target) {
    int start = pathStart(target) + path.length();
    int query = target.indexOf('?');
    String rest = target.substring(start, query < 0 ? target.length() : query);
    return rest.startsWith("/") ? rest.substring(1) : rest;
  }

  /** Returns whether it exists only for clients with the token. */
  boolean isGuarded() {
    return guarded;
  }

  /** Returns what a servlet that has this path is mapped to. */
  Stream<String> urlPatterns() {
    return guarded ? Stream.of(path, path + "/*") : Stream.of(path);
  }

  boolean allows(String wanted) {
    return wanted.equals(method) || wanted.equals(otherMethod);
  }

  String allowed() {
    return method + ", " + otherMethod;
  }
}
