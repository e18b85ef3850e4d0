package io.lastcall.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.plan.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a setting in README's table. */
public final class SettingWords {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z-]+)` \\| (.*) \\| (.*) \\|$", Pattern.MULTILINE);

  /**
   * A row of README's table, without its markup.
   *
   * @param standard the default
   */
  public record Row(String standard, String meaning) {}

  private SettingWords() {}

  /** Returns the rows of README's table by name. */
  public static Map<String, Row> readmeRows() throws IOException {
    Map<String, Row> rows = new TreeMap<>();
    Matcher matcher = ROW.matcher(Files.readString(Path.of("../README.md")));
    while (matcher.find()) {
      rows.put(matcher.group(1), new Row(plain(matcher.group(2)), plain(matcher.group(3))));
    }
    return rows;
  }

  /** Fails unless README's row has the setting's default and begins with its meaning. */
  public static void assertReadme(Setting<?> setting) throws IOException {
    Row row = readmeRows().get(setting.name());
    assertTrue(row != null, "no row " + setting.name());
    String[] words = setting.words().split("\\. Default: ", 2);
    assertEquals(words[1], row.standard() + ".", setting.name());
    String meaning = words[0].substring(0, 1).toLowerCase(Locale.ROOT) + words[0].substring(1);
    assertTrue(row.meaning().startsWith(meaning), setting.name() + ": " + row.meaning());
  }

  private static String plain(String markdown) {
    return markdown.replaceAll("\\[(.*?)]\\(.*?\\)", "$1").replace("`", "");
  }
}
