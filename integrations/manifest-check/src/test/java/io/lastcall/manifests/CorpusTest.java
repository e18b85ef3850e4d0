package io.lastcall.manifests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Manifests as companies have them. A comment {@code #! rule rule} is what the check must find in
 * that line; everything else that it finds is a false alarm.
 */
class CorpusTest {
  private static final Path CORPUS = Path.of("src/test/resources/corpus");
  private static final Pattern MARK = Pattern.compile("#! ([a-z]+(?:[- ][a-z]+)*)");

  static Stream<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(CORPUS)) {
      return all.sorted().toList().stream();
    }
  }

  @Test
  void corpus_isLarge() throws IOException {
    assertTrue(files().count() >= 30);
  }

  @ParameterizedTest
  @MethodSource("files")
  void findings_ofAFile_areItsMarks(Path file) throws IOException {
    ManifestReader reader = new ManifestReader();
    reader.read(file.toString(), InputStream.nullInputStream());
    List<String> found = new ArrayList<>();
    reader.problems.forEach(problem -> found.add(problem.line() + " unreadable"));
    ManifestCheck.findings(reader.objects, new Plans(Map.of()))
        .forEach(finding -> found.add(finding.line() + " " + finding.rule().id()));
    assertEquals(marks(file), found.stream().sorted().toList());
  }

  private static List<String> marks(Path file) throws IOException {
    List<String> marks = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (int line = 0; line < lines.size(); line++) {
      Matcher mark = MARK.matcher(lines.get(line));
      if (mark.find()) {
        for (String rule : mark.group(1).split(" ", -1)) {
          marks.add(line + 1 + " " + rule);
        }
      }
    }
    return marks.stream().sorted().toList();
  }
}
