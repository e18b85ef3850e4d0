package io.lastcall.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every link within the repository leads to a file, and to a heading where it names one; a page is
 * short enough to be read.
 */
class LinksTest {
  private static final int LINES = 250;

  /** Pages for looking something up. */
  private static final Set<String> LOOKED_UP = Set.of("settings.md", "probes.md", "performance.md");

  @Test
  void pages_everyRelativeLink_leadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    Map<Path, Set<String>> anchors = new HashMap<>();
    for (Page page : Page.all()) {
      anchors.put(page.file().normalize(), page.anchors());
    }
    for (Page page : Page.all()) {
      for (String link : page.links()) {
        String[] parts = link.split("#", 2);
        Path target =
            parts[0].isEmpty()
                ? page.file().normalize()
                : page.file().resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
          broken.add(page.file() + ": " + link);
        } else if (parts.length > 1
            && anchors.containsKey(target)
            && !anchors.get(target).contains(parts[1])) {
          broken.add(page.file() + ": " + link + ", no such heading");
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void pages_thatAreRead_areShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Page page : Page.all()) {
      Path file = page.file().normalize();
      long lines = page.text().lines().count();
      if (file.startsWith("../../docs")
          && !LOOKED_UP.contains(file.getFileName().toString())
          && lines > LINES) {
        tooLong.add(file + ": " + lines + " lines");
      }
    }
    assertEquals(List.of(), tooLong);
  }

  @Test
  void index_everyPageOfDocs_isInIt() throws IOException {
    Set<Path> linked = new HashSet<>();
    Page index = Page.of("docs/README.md");
    for (String link : index.links()) {
      linked.add(index.file().resolveSibling(link.split("#", 2)[0]).normalize());
    }
    List<String> missing = new ArrayList<>();
    for (Page page : Page.all()) {
      Path file = page.file().normalize();
      if (file.startsWith("../../docs") && !file.toString().contains("decisions")) {
        if (!linked.contains(file) && !file.equals(index.file().normalize())) {
          missing.add(file.toString());
        }
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(linked.size() > 20, "the index was read");
  }
}
