package io.lastcall.probe;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The secret that opens {@code /prestop} and {@code /lameduck}, or none: then these paths do not
 * exist. {@link #toString} says only whether there is one. Immutable.
 */
public final class ProbeToken {
  /** The characters mean the same in a header and in a path (RFC 3986). */
  public static final String ALLOWED = "16 to 200 characters out of A-Z a-z 0-9 - . _ ~, or off";

  private static final String OFF = "off";
  private static final ProbeToken NONE = new ProbeToken(Optional.empty());

  private final Optional<byte[]> secret;

  private ProbeToken(Optional<byte[]> secret) {
    this.secret = secret;
  }

  /** Returns no token. */
  public static ProbeToken none() {
    return NONE;
  }

  /**
   * Reads a token, without surrounding white space such as the line end of a mounted secret.
   *
   * @throws IllegalArgumentException if it is too short, too long or has other characters; the
   *     message does not repeat it
   */
  public static ProbeToken of(String text) {
    String token = text.strip();
    if (token.equalsIgnoreCase(OFF)) {
      return none();
    }
    if (!token.matches("[A-Za-z0-9._~-]{16,200}")) {
      throw new IllegalArgumentException("it is no token");
    }
    return new ProbeToken(Optional.of(bytes(token)));
  }

  /** Returns whether there is one. */
  public boolean isSet() {
    return secret.isPresent();
  }

  /** Compares in a time that does not depend on how much of it is right. */
  boolean matches(String offered) {
    return secret.filter(wanted -> MessageDigest.isEqual(wanted, bytes(offered))).isPresent();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return isSet() ? "set" : OFF;
  }
}
