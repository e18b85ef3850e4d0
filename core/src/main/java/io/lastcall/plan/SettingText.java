package io.lastcall.plan;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Reads the values of settings; each throws IllegalArgumentException saying what is wrong. */
final class SettingText {
  static final String OFF = "off";

  private SettingText() {}

  static String canonical(String text, List<String> names) {
    String wanted = text.trim().toUpperCase(Locale.ROOT).replace('-', '_');
    if (!names.contains(wanted)) {
      throw new IllegalArgumentException("it is not one of these");
    }
    return wanted;
  }

  static Integer exitCode(String text) {
    return switch (text.trim()) {
      case "0" -> 0;
      case "143" -> 143;
      default -> throw new IllegalArgumentException("it would not read as a clean exit");
    };
  }

  static <V> Function<String, Optional<V>> optional(Function<String, V> parser) {
    return text ->
        text.trim().equalsIgnoreCase(OFF)
            ? Optional.empty()
            : Optional.of(parser.apply(text.trim()));
  }

  static String orOff(Optional<?> value) {
    return value.map(Object::toString).orElse(OFF);
  }

  static Path file(String text) {
    try {
      Path path = Path.of(text);
      if (path.isAbsolute()) {
        return path;
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("it is no path", e);
    }
    throw new IllegalArgumentException("it is not absolute");
  }

  static Integer routers(String text) {
    String digits = text.trim();
    if (!digits.matches("\\d{1,6}")) {
      throw new IllegalArgumentException("it is not a whole number in range");
    }
    int value = Integer.parseInt(digits);
    if (value < 1 || value > 100_000) {
      throw new IllegalArgumentException("it is out of range");
    }
    return value;
  }

  static List<String> signals(String text) {
    List<String> names =
        Arrays.stream(text.split(",", -1))
            .map(name -> name.trim().toUpperCase(Locale.ROOT).replaceFirst("^SIG", ""))
            .distinct()
            .toList();
    if (names.stream().anyMatch(name -> !name.matches("[A-Z][A-Z0-9]*"))) {
      throw new IllegalArgumentException("it is not a list of signal names");
    }
    return names;
  }
}
