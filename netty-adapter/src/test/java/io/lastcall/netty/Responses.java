package io.lastcall.netty;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes the bytes of one HTTP/1.1 connection apart, independently of Netty. */
final class Responses {
  /** The header {@code id}, or the status line of a response without one. */
  record Response(String id, boolean complete, boolean close) {}

  private final String bytes;
  private int at;

  private Responses(String bytes) {
    this.bytes = bytes;
  }

  /** Returns the responses but for interim ones; the last may be incomplete. */
  static List<Response> parse(String bytes) {
    Responses reader = new Responses(bytes);
    List<Response> all = new ArrayList<>();
    while (reader.at < bytes.length()) {
      String head = reader.head();
      if (!head.startsWith("HTTP/1.1 1")) {
        all.add(reader.response(head));
      }
    }
    return all;
  }

  private String head() {
    int end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0 || !bytes.startsWith("HTTP/1.1 ", at)) {
      throw new AssertionError("no head of a response at " + at + " of: " + bytes);
    }
    String head = bytes.substring(at, end + 2);
    at = end + 4;
    return head;
  }

  private Response response(String head) {
    boolean complete = value(head, "transfer-encoding") == null ? body(head) : chunks();
    String id = value(head, "id");
    boolean close = "close".equals(value(head, "connection"));
    return new Response(id == null ? head.substring(0, 12) : id, complete, close);
  }

  private boolean body(String head) {
    String length = value(head, "content-length");
    at += length == null ? 0 : Integer.parseInt(length);
    return at <= bytes.length();
  }

  private boolean chunks() {
    while (at < bytes.length()) {
      int line = bytes.indexOf("\r\n", at);
      int size = Integer.parseInt(bytes.substring(at, line), 16);
      at = line + 2 + size + 2;
      if (size == 0) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String value(String head, String name) {
    int start = head.toLowerCase(Locale.ROOT).indexOf("\r\n" + name + ": ");
    if (start < 0) {
      return null;
    }
    int from = start + name.length() + 4;
    return head.substring(from, head.indexOf("\r\n", from));
  }
}
