package io.lastcall.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) into maps, lists, text, {@link Double}s, booleans and null. For the small
 * answers of an API server: everything is in memory.
 */
final class Json {
  /** Deeper than any object of Kubernetes; the stack of a thread is enough for it. */
  private static final int DEEPEST = 100;

  private final String text;
  private int at;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads a text that is one value.
   *
   * @throws IllegalArgumentException if it is not JSON, or only the beginning of it
   */
  static @Nullable Object read(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipSpace();
    if (json.at < text.length()) {
      throw json.unexpected("more than one value");
    }
    return value;
  }

  /** Returns a text as JSON. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c < ' ' || c == '"' || c == '\\') {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }

  private @Nullable Object value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    enter();
    while (!closes('}', object.isEmpty())) {
      skipSpace();
      String key = string();
      skipSpace();
      expect(':');
      object.put(key, value());
    }
    return object;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> array = new ArrayList<>();
    enter();
    while (!closes(']', array.isEmpty())) {
      array.add(value());
    }
    return array;
  }

  private void enter() {
    at++;
    if (++depth > DEEPEST) {
      throw unexpected("too deep");
    }
  }

  /** Reads the end of an object or array, or what separates the next member from the last. */
  private boolean closes(char end, boolean first) {
    skipSpace();
    if (peek() == end) {
      at++;
      depth--;
      return true;
    }
    if (!first) {
      expect(',');
    }
    return false;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < 0x20) {
        throw unexpected("a control character in a string");
      }
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw unexpected("an escape that does not exist");
    };
  }

  private char unicode() {
    if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
      throw unexpected("an escape that is not whole");
    }
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw unexpected("no value");
    }
    at += word.length();
    return value;
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(start, at);
    if (!number.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
      throw unexpected("no value");
    }
    return Double.valueOf(number);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw unexpected("the end");
    }
    return text.charAt(at);
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw unexpected("no '" + wanted + "'");
    }
    at++;
  }

  private IllegalArgumentException unexpected(String what) {
    return new IllegalArgumentException(what + " at character " + at);
  }
}
