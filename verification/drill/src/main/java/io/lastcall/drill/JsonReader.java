package io.lastcall.drill;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON (RFC 8259) into maps, lists, strings, doubles, booleans and null. */
final class JsonReader {
  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Reads a whole text.
   *
   * @throws IllegalArgumentException naming the place where it is no JSON
   */
  static @Nullable Object read(String text) {
    JsonReader reader = new JsonReader(text);
    Object value = reader.value();
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.wrong("the end");
    }
    return value;
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
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    expect('{');
    if (!taken('}')) {
      do {
        skipSpace();
        String name = string();
        skipSpace();
        expect(':');
        members.put(name, value());
      } while (taken(','));
      expect('}');
    }
    return members;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> items = new ArrayList<>();
    expect('[');
    if (!taken(']')) {
      do {
        items.add(value());
      } while (taken(','));
      expect(']');
    }
    return items;
  }

  private String string() {
    StringBuilder content = new StringBuilder();
    expect('"');
    while (peek() != '"') {
      char c = text.charAt(at++);
      content.append(c == '\\' ? escaped() : c);
    }
    at++;
    return content.toString();
  }

  private char escaped() {
    char c = peek();
    at++;
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> unicode();
      default -> c;
    };
  }

  private char unicode() {
    if (at + 4 > text.length()) {
      throw wrong("four hexadecimal digits");
    }
    try {
      int unit = Integer.parseInt(text, at, at + 4, 16);
      at += 4;
      return (char) unit;
    } catch (NumberFormatException e) {
      throw wrong("four hexadecimal digits");
    }
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (start == at) {
      throw wrong("a value");
    }
    try {
      return Double.valueOf(text.substring(start, at));
    } catch (NumberFormatException e) {
      at = start;
      throw wrong("a number");
    }
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean taken(char wanted) {
    skipSpace();
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  private void expect(char wanted) {
    if (!taken(wanted)) {
      throw wrong("'" + wanted + "'");
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("more");
    }
    return text.charAt(at);
  }

  private IllegalArgumentException wrong(String wanted) {
    return new IllegalArgumentException("No JSON: " + wanted + " expected at character " + at);
  }
}
