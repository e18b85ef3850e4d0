package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** README's table of settings has each of them, and nothing else. */
class SettingsTableTest {
  private static final Path README = Path.of("../README.md");
  private static final Pattern ROW = Pattern.compile("^\\| `([a-z-]+)` \\|", Pattern.MULTILINE);

  @Test
  void readme_everySetting_isInTheTableOnce() throws IOException {
    List<String> rows =
        ROW.matcher(Files.readString(README)).results().map(row -> row.group(1)).sorted().toList();
    List<String> names =
        Stream.concat(Setting.all().stream(), Setting.elsewhere().stream())
            .map(Setting::name)
            .sorted()
            .toList();
    assertEquals(names, rows);
  }
}
