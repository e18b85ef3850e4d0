package io.lastcall.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each test that {@code docs/issues.md} names exists, and is not switched off. */
class IssuesTest {
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Pattern ISSUE =
      Pattern.compile(
          "\\[[\\w./-]+#\\d+]\\(https://github\\.com/[\\w.-]+/[\\w.-]+/(issues|pull)/\\d+\\)");
  private static final int FEWEST = 40;

  /** Of the folder of tests of a module that is itself in a folder. */
  private static final int DEPTH = 7;

  @Test
  void page_everyTestThatItNames_runs() throws IOException {
    String page = Page.of("docs/issues.md").text();
    Map<String, List<String>> sources = tests();
    List<String> wrong = new ArrayList<>();
    Matcher named = NAMED.matcher(page);
    int found = 0;
    while (named.find()) {
      found++;
      if (!runs(named.group(1), named.group(2), sources)) {
        wrong.add(named.group());
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(found >= FEWEST, found + " tests");
  }

  @Test
  void page_everyRow_hasAnIssueAndATest() {
    List<String> rows =
        Page.of("docs/issues.md").text().lines().filter(line -> line.startsWith("| [")).toList();
    List<String> wrong =
        rows.stream()
            .filter(row -> !ISSUE.matcher(row).find() || !NAMED.matcher(row).find())
            .toList();
    assertEquals(List.of(), wrong);
    assertTrue(rows.size() >= FEWEST, rows.size() + " issues");
  }

  /** In the class's own source, or in that of a type which it extends. */
  private static boolean runs(String type, String method, Map<String, List<String>> sources) {
    for (String source : sources.getOrDefault(type, List.of())) {
      Matcher declared =
          Pattern.compile("((?:@\\w+(?:\\([^)]*\\))?\\s+)*)(?:\\w+ )*void " + method + "\\(")
              .matcher(source);
      if (source.contains("void " + method + "(") && declared.find()) {
        boolean disabled = declared.group(1).contains("@Disabled") || isDisabled(source, type);
        return declared.group(1).contains("Test") && !disabled;
      }
      Matcher parents =
          Pattern.compile("class " + type + "[^{]*?(?:extends|implements) ([^{]*)\\{")
              .matcher(source);
      if (parents.find() && !isDisabled(source, type)) {
        for (String parent : parents.group(1).split("[^\\w]+", -1)) {
          if (runs(parent, method, sources)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean isDisabled(String source, String type) {
    int declaration = source.indexOf("class " + type);
    return declaration > 0 && source.substring(0, declaration).contains("\n@Disabled");
  }

  /** The sources of all tests by the simple name of their class; some modules share one. */
  private static Map<String, List<String>> tests() throws IOException {
    Map<String, List<String>> sources = new HashMap<>();
    try (Stream<Path> folders =
        Files.find(Page.ROOT, DEPTH, (file, attributes) -> file.endsWith("src/test/java"))) {
      for (Path folder : folders.toList()) {
        try (Stream<Path> files = Files.walk(folder)) {
          files
              .filter(file -> file.toString().endsWith(".java"))
              .forEach(
                  file ->
                      sources
                          .computeIfAbsent(
                              file.getFileName().toString().replace(".java", ""),
                              name -> new ArrayList<>())
                          .add(Page.read(file)));
        }
      }
    }
    return sources;
  }
}
