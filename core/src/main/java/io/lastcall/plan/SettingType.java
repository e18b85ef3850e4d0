package io.lastcall.plan;

import io.lastcall.probe.ProbeToken;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * How the values of a setting are read and written.
 *
 * @param allowed in words
 * @param parser throws IllegalArgumentException saying what is wrong with the text
 * @param formatter writes a value as it would be configured
 * @param <T> the type of the value
 */
record SettingType<T>(
    String allowed, Function<String, T> parser, Function<? super T, String> formatter) {
  private static final String OFF = "off";

  static final SettingType<Duration> DURATION =
      new SettingType<>(Durations.ALLOWED, Durations::parse, Durations::format);

  static final SettingType<Integer> ROUTERS =
      new SettingType<>("a number from 1 to 100000", SettingType::routers, Object::toString);

  static final SettingType<Integer> EXIT_CODE =
      new SettingType<>("0 or 143", SettingType::exitCode, Object::toString);

  static final SettingType<ProbeToken> TOKEN =
      new SettingType<>(ProbeToken.ALLOWED, ProbeToken::of, Object::toString);

  static final SettingType<List<String>> SIGNALS =
      new SettingType<>(
          "signal names separated by commas, such as TERM or TERM,USR1",
          SettingType::signals,
          names -> String.join(",", names));

  static final SettingType<Optional<Path>> FILE = optional("an absolute path", SettingType::file);

  /** Returns the type of a setting that may be off. */
  static <V> SettingType<Optional<V>> optional(String allowed, Function<String, V> parser) {
    return new SettingType<>(
        allowed + ", or off",
        text ->
            text.trim().equalsIgnoreCase(OFF)
                ? Optional.empty()
                : Optional.of(parser.apply(text.trim())),
        value -> value.map(Object::toString).orElse(OFF));
  }

  /** Returns the type of a setting that is one of an enum's names, in any case. */
  static <E extends Enum<E>> SettingType<E> choice(Class<E> type) {
    List<String> names = Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
    return new SettingType<>(
        String.join(", ", names),
        text -> {
          String wanted = text.trim().toUpperCase(Locale.ROOT).replace('-', '_');
          if (!names.contains(wanted)) {
            throw new IllegalArgumentException("it is not one of these");
          }
          return Enum.valueOf(type, wanted);
        },
        Enum::name);
  }

  private static Integer routers(String text) {
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

  private static Integer exitCode(String text) {
    return switch (text.trim()) {
      case "0" -> 0;
      case "143" -> 143;
      default -> throw new IllegalArgumentException("it would not read as a clean exit");
    };
  }

  private static List<String> signals(String text) {
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

  private static Path file(String text) {
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
}
