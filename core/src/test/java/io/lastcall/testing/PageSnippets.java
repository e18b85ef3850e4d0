package io.lastcall.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** A page whose Java snippets are parts of an example, without regard to their indentation. */
public final class PageSnippets {
  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private PageSnippets() {}

  /**
   * Returns a test for each snippet.
   *
   * @param sources the folder of the example's code
   */
  public static List<DynamicTest> tests(Path page, Path sources) throws IOException {
    List<String> examples = examples(sources);
    List<DynamicTest> tests =
        SNIPPET
            .matcher(Files.readString(page))
            .results()
            .map(result -> unindented(result.group(1)))
            .map(snippet -> test(snippet, examples))
            .toList();
    assertTrue(tests.size() >= 3, "the page's snippets were found");
    return tests;
  }

  private static DynamicTest test(String snippet, List<String> examples) {
    return DynamicTest.dynamicTest(
        snippet.lines().findFirst().orElseThrow(),
        () -> assertTrue(examples.stream().anyMatch(each -> each.contains(snippet)), snippet));
  }

  private static List<String> examples(Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(PageSnippets::read)
          .map(PageSnippets::unindented)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String unindented(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n"));
  }
}
