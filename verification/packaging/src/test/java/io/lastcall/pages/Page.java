package io.lastcall.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page of the documentation. */
record Page(Path file, String text) {
  static final Path ROOT = Path.of("../..");

  private static final Pattern LINK =
      Pattern.compile("]\\(([^)\\s]+)\\)|(?:src|srcset)=\"([^\"]+)\"");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*)$", Pattern.MULTILINE);
  private static final Pattern CODE =
      Pattern.compile("^```.*?^```|^    .*?$|`[^`\n]*`", Pattern.MULTILINE | Pattern.DOTALL);

  static Page of(String name) {
    Path file = ROOT.resolve(name);
    return new Page(file, read(file));
  }

  /** Every page: those at the root, of the drill, and below docs. */
  static List<Page> all() throws IOException {
    List<Page> pages = new ArrayList<>(List.of(of("verification/drill/README.md")));
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(root, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .forEach(file -> pages.add(new Page(file, read(file))));
    }
    return pages;
  }

  /** The files and anchors that this page links to, other sites' aside. */
  List<String> links() {
    List<String> links = new ArrayList<>();
    Matcher matcher = LINK.matcher(CODE.matcher(text).replaceAll(""));
    while (matcher.find()) {
      String link = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      if (!link.contains(":")) {
        links.add(link);
      }
    }
    return links;
  }

  /** What leads to a heading of this page, as the hosting services of repositories make it. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    Matcher matcher = HEADING.matcher(text.replaceAll("(?ms)^```.*?^```", ""));
    while (matcher.find()) {
      String words = matcher.group(1).replaceAll("\\[(.*?)]\\(.*?\\)", "$1").strip();
      String anchor =
          words.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }

  /** Every line without its indentation. */
  static String unindented(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
