package io.lastcall.probe;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that a probe's answer depends on. Immutable.
 *
 * @param method the HTTP method, as sent
 * @param target the path with its query, as sent: {@code /readyz?verbose}
 * @param accept the {@code Accept} header
 * @param token the {@value #TOKEN_HEADER} header
 */
public record ProbeRequest(
    String method, String target, Optional<String> accept, Optional<String> token) {

  /** The header that opens {@code /prestop} and {@code /lameduck}. */
  public static final String TOKEN_HEADER = "X-Lastcall-Token";

  /**
   * Reads a server's own request.
   *
   * @param header returns a header's first value, or null: {@code request::getHeader}
   */
  public static ProbeRequest of(
      String method, String target, Function<String, @Nullable String> header) {
    return new ProbeRequest(
        method,
        target,
        Optional.ofNullable(header.apply("Accept")),
        Optional.ofNullable(header.apply(TOKEN_HEADER)));
  }

  boolean isVerbose() {
    return parameter("verbose").filter(value -> value.matches("|true|1")).isPresent();
  }

  /** Returns the first value of a parameter of the query, empty if it has none. */
  Optional<String> parameter(String name) {
    int query = target.indexOf('?');
    return Arrays.stream(target.substring(query + 1).split("&"))
        .filter(pair -> query >= 0 && (pair.equals(name) || pair.startsWith(name + "=")))
        .findFirst()
        .map(pair -> pair.length() == name.length() ? "" : pair.substring(name.length() + 1));
  }

  /** Returns the target without its query. */
  String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** Returns whether the method reads, and the target is a path, the query aside. */
  boolean isFor(String path) {
    return (method.equals("GET") || method.equals("HEAD")) && path().equals(path);
  }

  /**
   * Returns whether the client names JSON; a browser's or a kubelet's {@code *}{@code /*} does not.
   */
  boolean wantsJson() {
    return accept.filter(types -> types.contains("application/json")).isPresent();
  }
}
