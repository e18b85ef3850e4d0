package io.lastcall.manifests;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A value of a manifest, present or absent, and where it is. An absent one is where its parent is:
 * something is missing there. Immutable.
 */
final class Yaml {
  /** As it was named. */
  final String file;

  /** The first is 1. */
  final int line;

  /** Whether it is a text by its quotes or its form, where a number such as 60 is none. */
  final boolean isText;

  /** A String, a {@code Map<String, Yaml>} or a {@code List<Yaml>}; empty if absent, or null. */
  private final Optional<Object> value;

  private Yaml(String file, int line, boolean isText, Optional<Object> value) {
    this.file = file;
    this.line = line;
    this.isText = isText;
    this.value = value;
  }

  static Yaml absent(String file, int line) {
    return new Yaml(file, line, false, Optional.empty());
  }

  static Yaml scalar(String file, int line, boolean isText, String text) {
    return new Yaml(file, line, isText, Optional.of(text));
  }

  static Yaml mapping(String file, int line, Map<String, Yaml> members) {
    return new Yaml(file, line, false, Optional.of(members));
  }

  static Yaml sequence(String file, int line, List<Yaml> items) {
    return new Yaml(file, line, false, Optional.of(items));
  }

  /** Returns a member of a member, and so on. */
  Yaml get(String... path) {
    Yaml found = this;
    for (String key : path) {
      Yaml member = found.members().get(key);
      found = member == null ? absent(file, found.line) : member;
    }
    return found;
  }

  /** Returns the members of a mapping; empty for anything else. */
  @SuppressWarnings("unchecked") // only mapping() puts a Map in
  Map<String, Yaml> members() {
    return value.orElse(null) instanceof Map<?, ?> map ? (Map<String, Yaml>) map : Map.of();
  }

  /** Returns the keys of a mapping; empty for anything else. */
  Set<String> keys() {
    return members().keySet();
  }

  /** Returns the items of a sequence; empty for anything else. */
  @SuppressWarnings("unchecked") // only sequence() puts a List in
  List<Yaml> items() {
    return value.orElse(null) instanceof List<?> list ? (List<Yaml>) list : List.of();
  }

  /** Returns the texts of a sequence's scalars. */
  List<String> texts() {
    return items().stream().map(item -> item.text("")).toList();
  }

  boolean isPresent() {
    return value.isPresent();
  }

  boolean isSequence() {
    return value.orElse(null) instanceof List;
  }

  /** Returns the text of a scalar; empty for anything else. */
  Optional<String> text() {
    return value.orElse(null) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  String text(String fallback) {
    return text().orElse(fallback);
  }

  boolean is(String wanted) {
    return text("").equals(wanted);
  }

  /** Returns a whole number of at most nine digits; empty for anything else. */
  Optional<Integer> number() {
    return text()
        .filter(digits -> digits.matches("[-+]?\\d{1,9}(\\.0+)?"))
        .map(digits -> new BigDecimal(digits).intValue());
  }

  int number(int fallback) {
    return number().orElse(fallback);
  }
}
