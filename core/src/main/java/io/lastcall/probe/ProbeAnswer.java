package io.lastcall.probe;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answer to a probe; the kubelet takes 200-399 as passed. Immutable.
 *
 * @param status 200, 404, 405 or 503, or what an extension answers
 * @param headers every header to send, {@code Content-Length} included: on HEAD it is that of the
 *     body GET would get (RFC 9110, section 9.3.2)
 * @param body the text to write, in UTF-8; empty on HEAD
 */
public record ProbeAnswer(int status, Map<String, String> headers, String body) {

  /** Makes the headers unmodifiable. */
  public ProbeAnswer {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  static ProbeAnswer text(int status, String body) {
    return new ProbeAnswer(status, headers("text/plain; charset=utf-8", body), body);
  }

  /** Returns an answer whose body is JSON. */
  public static ProbeAnswer json(int status, String body) {
    return new ProbeAnswer(status, headers("application/json", body), body);
  }

  /**
   * Returns 405.
   *
   * @param allowed the methods that are allowed, separated by commas
   */
  public static ProbeAnswer notAllowed(String allowed) {
    ProbeAnswer answer = text(405, "allowed: " + allowed + "\n");
    Map<String, String> headers = new LinkedHashMap<>(answer.headers);
    headers.put("Allow", allowed);
    return new ProbeAnswer(answer.status, headers, answer.body);
  }

  private static Map<String, String> headers(String type, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", type);
    headers.put("Content-Length", Integer.toString(length));
    headers.put("Cache-Control", "no-store");
    return headers;
  }

  ProbeAnswer withoutBody() {
    return new ProbeAnswer(status, headers, "");
  }
}
