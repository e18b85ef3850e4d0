package io.lastcall.probe;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a probe's answer depends on. Immutable.
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
   * @throws NullPointerException if anything is null
   */
  public ProbeRequest {
    Objects.requireNonNull(method, "method must not be null");
    Objects.requireNonNull(target, "target must not be null");
    Objects.requireNonNull(accept, "accept must not be null");
    Objects.requireNonNull(token, "token must not be null");
  }

  /**
   * Takes what is needed from a server's own request.
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

  /** Whoever names JSON gets it; a browser or a kubelet ({@code *}{@code /*}) gets text. */
  boolean wantsJson() {
    return accept.filter(types -> types.contains("application/json")).isPresent();
  }
}
