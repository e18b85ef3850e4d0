package io.lastcall.probe;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What to answer a probe with; the kubelet takes 200-399 as passed. Immutable.
 *
 * @param status 200, 404, 405 or 503
 * @param headers every header to send, {@code Content-Length} included: on HEAD it is that of the
 *     body GET would get (RFC 9110, section 9.3.2)
 * @param body what to write, in UTF-8; empty on HEAD
 */
public record ProbeAnswer(int status, Map<String, String> headers, String body) {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  /** Makes the headers unmodifiable. */
  public ProbeAnswer {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  static ProbeAnswer text(int status, String body) {
    return of(status, TEXT, body);
  }

  static ProbeAnswer json(int status, String body) {
    return of(status, JSON, body);
  }

  static ProbeAnswer notFound() {
    return text(404, "not found\n");
  }

  static ProbeAnswer notAllowed(String allowed) {
    return text(405, "allowed: " + allowed + "\n").with("Allow", allowed);
  }

  private static ProbeAnswer of(int status, String type, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", type);
    headers.put("Content-Length", Integer.toString(length));
    headers.put("Cache-Control", "no-store");
    return new ProbeAnswer(status, headers, body);
  }

  ProbeAnswer withoutBody() {
    return new ProbeAnswer(status, headers, "");
  }

  private ProbeAnswer with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new ProbeAnswer(status, more, body);
  }
}
