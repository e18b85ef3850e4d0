package io.lastcall.examples.work;

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
import org.junit.jupiter.api.TestFactory;

/** The snippets of {@code docs/work.md} are parts of the examples. */
class WorkPageTest {
  private static final Path PAGE = Path.of("../../docs/work.md");
  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TestFactory
  List<DynamicTest> page_everySnippet_isInAnExample() throws IOException {
    List<String> examples = examples();
    List<DynamicTest> tests =
        SNIPPET
            .matcher(Files.readString(PAGE))
            .results()
            .map(result -> unindented(result.group(1)))
            .map(
                snippet ->
                    DynamicTest.dynamicTest(
                        snippet.lines().findFirst().orElseThrow(),
                        () ->
                            assertTrue(
                                examples.stream().anyMatch(each -> each.contains(snippet)),
                                snippet)))
            .toList();
    assertTrue(tests.size() >= 7, "the page's snippets were found");
    return tests;
  }

  private static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(WorkPageTest::read)
          .map(WorkPageTest::unindented)
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
