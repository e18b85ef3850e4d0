package io.lastcall.probe;

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
    int query = target.indexOf('?');
    return query >= 0
        && ("&" + target.substring(query + 1) + "&").matches(".*&verbose(=(true|1)?)?&.*");
  }

  /**
   * Returns whether the client names JSON; a browser's or a kubelet's {@code *}{@code /*} does not.
   */
  boolean wantsJson() {
    return accept.filter(types -> types.contains("application/json")).isPresent();
  }
}
