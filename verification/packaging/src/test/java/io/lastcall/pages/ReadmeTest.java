package io.lastcall.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README is short, its quick starts are the examples' own lines, and its matrix is true. */
class ReadmeTest {
  private static final int LINES = 250;
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>(lastcall-[a-z0-9-]+)</artifactId>");
  private static final Pattern NAMED = Pattern.compile("`(lastcall-[a-z0-9-]+)`");
  private static final Pattern SNIPPET =
      Pattern.compile(
          "]\\((examples/[^)]*\\.java)\\)[^`]*(?:`[^`\n]*`[^`]*)*```java\n(.*?)```",
          Pattern.DOTALL);

  private static final Page README = Page.of("README.md");

  @Test
  void readme_isReadInTenMinutes() {
    long lines = README.text().lines().count();
    assertTrue(lines <= LINES, lines + " lines");
  }

  @Test
  void matrix_everyRow_namesArtifactsThatExistAndAnExample() throws IOException {
    Set<String> artifacts = artifacts();
    List<String> rows =
        README
            .text()
            .lines()
            .dropWhile(line -> !line.startsWith("| Framework |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    List<String> wrong = new ArrayList<>();
    for (String row : rows) {
      String[] cells = row.split("\\|", -1);
      Matcher named = NAMED.matcher(cells[2]);
      boolean any = false;
      while (named.find()) {
        any = true;
        if (!artifacts.contains(named.group(1))) {
          wrong.add(named.group(1) + ":" + cells[1]);
        }
      }
      Matcher example = Pattern.compile("]\\(([^)]+)\\)").matcher(cells[5]);
      if (!any || !example.find() || !Files.exists(Page.ROOT.resolve(example.group(1)))) {
        wrong.add(row);
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(rows.size() >= 15, "the matrix was found");
  }

  @Test
  void matrix_everyExample_isInIt() throws IOException {
    String pom = Page.read(Page.ROOT.resolve("examples/pom.xml"));
    List<String> missing = new ArrayList<>();
    Matcher module = Pattern.compile("<module>([a-z-]+)</module>").matcher(pom);
    while (module.find()) {
      String name = module.group(1);
      if (!README.text().contains("](examples/" + name + ")")) {
        missing.add(name);
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void quickStarts_everyLine_isInTheirExample() {
    List<String> wrong = new ArrayList<>();
    int found = 0;
    Matcher snippet = SNIPPET.matcher(README.text());
    while (snippet.find()) {
      found++;
      String example = Page.unindented(Page.read(Page.ROOT.resolve(snippet.group(1))));
      for (String part : Page.unindented(snippet.group(2)).split("\n\n+", -1)) {
        if (!example.contains(part.strip())) {
          wrong.add(snippet.group(1) + ": " + part);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertEquals(3, found, "the quick starts were found");
  }

  @Test
  void version_isTheOneThatIsBuilt() {
    String pom = Page.read(Page.ROOT.resolve("pom.xml"));
    Matcher version = Pattern.compile("<version>(.*?)</version>").matcher(pom);
    assertTrue(version.find());
    for (Page page : List.of(README, Page.of("docs/getting-started/spring-boot.md"))) {
      assertTrue(page.text().contains("<version>" + version.group(1) + "</version>"));
      assertTrue(page.text().contains("starter:" + version.group(1) + "\""));
    }
  }

  private static Set<String> artifacts() throws IOException {
    Set<String> artifacts = new HashSet<>();
    try (Stream<Path> files =
        Files.find(Page.ROOT, 4, (file, attributes) -> file.endsWith("pom.xml"))) {
      files.forEach(
          file -> {
            Matcher artifact =
                ARTIFACT.matcher(
                    Page.read(file).replaceAll("(?s)<parent>.*?</parent>|<dependenc.*", ""));
            if (artifact.find()) {
              artifacts.add(artifact.group(1));
            }
          });
    }
    return artifacts;
  }
}
