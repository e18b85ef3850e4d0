package io.lastcall.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process has left: each record's word for the outcome, and the first warning. How the
 * library writes them is known here alone.
 *
 * @param message empty where there is none, {@link #NOT_WRITABLE} where none can be
 * @param words all that was logged
 */
record Records(
    Optional<String> log,
    Optional<String> file,
    Optional<String> message,
    String warning,
    String words) {
  /** One of the records. */
  enum Kind {
    LOG,
    FILE,
    MESSAGE
  }

  static final String NOT_WRITABLE = "not writable";

  private static final Pattern SAID =
      Pattern.compile(
          "\\bshutdown (?:(clean|incomplete|halted)|with work (handed back))\\b",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern HALT = Pattern.compile("\\bHALTED\\b|lastcall: .*\\bhangs\\b");
  private static final Pattern BEGUN = Pattern.compile("has begun and never ended");
  private static final Pattern IN_FILE = Pattern.compile("\"outcome\"\\s*:\\s*\"(\\w+)\"");
  private static final Pattern WARNING =
      Pattern.compile("\\b(?:WARN|ERROR) io\\.lastcall\\S* - (?:\\w+=\\S* )*(.*)");
  private static final Pattern SIGNALLED =
      Pattern.compile("KEEP_SERVING|DRAIN for|Shutdown begun", Pattern.CASE_INSENSITIVE);

  Optional<String> of(Kind kind) {
    return switch (kind) {
      case LOG -> log;
      case FILE -> file;
      case MESSAGE -> message;
    };
  }

  static Records of(List<String> printed, Path folder) throws IOException {
    String words = String.join("\n", printed);
    return new Records(
        outcome(words),
        in(folder.resolve("report.json"), IN_FILE),
        message(folder.resolve("termination-log")),
        warning(printed).replace(folder + "/", ""),
        words);
  }

  /** The last word counts; a halt comes after the report. */
  private static Optional<String> outcome(String text) {
    if (HALT.matcher(text).find()) {
      return Optional.of("HALTED");
    }
    Matcher matcher = SAID.matcher(text);
    String last = null;
    while (matcher.find()) {
      String word = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      last = word.toUpperCase(Locale.ROOT).replace(' ', '_');
    }
    return Optional.ofNullable(last);
  }

  private static Optional<String> message(Path file) throws IOException {
    if (!Namespaces.areThere() || !Files.isReadable(file)) {
      return Optional.of(NOT_WRITABLE);
    }
    String text = Files.readString(file);
    Optional<String> outcome = outcome(text);
    return outcome.isEmpty() && BEGUN.matcher(text).find() ? Optional.of("UNFINISHED") : outcome;
  }

  private static Optional<String> in(Path file, Pattern pattern) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    Matcher matcher = pattern.matcher(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The first one after the shutdown began; empty if there is none. */
  private static String warning(List<String> printed) {
    boolean begun = false;
    for (String line : printed) {
      begun |= SIGNALLED.matcher(line).find();
      Matcher matcher = WARNING.matcher(line);
      if (begun && matcher.find()) {
        return matcher.group(1);
      }
    }
    return "";
  }
}
