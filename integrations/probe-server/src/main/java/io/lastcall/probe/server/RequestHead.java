package io.lastcall.probe.server;

import io.lastcall.probe.ProbeRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the head of an HTTP/1 request (RFC 9112, sections 2 to 5), as far as probes need it. On the
 * one thread that answers all probes: no pattern here gives back what it has taken, since to look
 * for another division of 8 KiB of blanks takes two seconds.
 */
final class RequestHead {
  /** The absolute form, {@code http://host/path}, is to be accepted too (section 3.2.2). */
  private static final Pattern REQUEST_LINE =
      Pattern.compile("([A-Z]{1,20}) ((?:[a-z]{1,5}://|/)[\\x21-\\x7e]*+) HTTP/1\\.[01]");

  private static final Pattern HEADER =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]++):[ \\t]*+([^\\x00-\\x08\\x0a-\\x1f\\x7f]*+)");

  private RequestHead() {}

  /** Returns where the head in {@code bytes} ends, its empty line included; -1 if it does not. */
  static int end(byte[] bytes, int length) {
    for (int i = 1; i < length; i++) {
      boolean empty =
          bytes[i - 1] == '\n' || (i > 1 && bytes[i - 1] == '\r' && bytes[i - 2] == '\n');
      if (bytes[i] == '\n' && empty) {
        return i + 1;
      }
    }
    return -1;
  }

  /** Returns empty if it is malformed. */
  static Optional<ProbeRequest> parse(byte[] bytes, int length) {
    String head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).stripTrailing();
    String[] lines = head.split("\r?\n", -1);
    Matcher request = REQUEST_LINE.matcher(lines[0]);
    if (!request.matches()) {
      return Optional.empty();
    }
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      Matcher header = HEADER.matcher(lines[i]);
      if (!header.matches()) {
        return Optional.empty();
      }
      headers.putIfAbsent(header.group(1).toLowerCase(Locale.ROOT), header.group(2).strip());
    }
    return Optional.of(
        ProbeRequest.of(
            request.group(1),
            request.group(2),
            name -> headers.get(name.toLowerCase(Locale.ROOT))));
  }
}
