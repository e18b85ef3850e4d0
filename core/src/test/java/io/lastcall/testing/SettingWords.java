package io.lastcall.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.plan.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a setting in the table of {@code docs/settings.md}. */
public final class SettingWords {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z-]+)` \\| (.*) \\| (.*) \\|$", Pattern.MULTILINE);

  /**
   * A row of the page's table, without its markup.
   *
   * @param standard the default
   */
  public record Row(String standard, String meaning) {}

  private SettingWords() {}

  /** Returns the rows of the page's table by name. */
  public static Map<String, Row> rows() throws IOException {
    Map<String, Row> found = new TreeMap<>();
    Matcher matcher = ROW.matcher(Files.readString(page()));
    while (matcher.find()) {
      found.put(matcher.group(1), new Row(plain(matcher.group(2)), plain(matcher.group(3))));
    }
    return found;
  }

  /** Fails unless the page's row has the setting's default and begins with its meaning. */
  public static void assertOnPage(Setting<?> setting) throws IOException {
    Row row = rows().get(setting.name());
    assertTrue(row != null, "no row " + setting.name());
    String[] words = setting.words().split("\\. Default: ", 2);
    assertEquals(words[1], row.standard() + ".", setting.name());
    String meaning = words[0].substring(0, 1).toLowerCase(Locale.ROOT) + words[0].substring(1);
    assertTrue(row.meaning().startsWith(meaning), setting.name() + ": " + row.meaning());
  }

  /** Above the module's folder, however deep that is. */
  private static Path page() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && Files.notExists(folder.resolve("docs/settings.md"))) {
      folder = folder.getParent();
    }
    return Objects.requireNonNull(folder, "no docs/settings.md").resolve("docs/settings.md");
  }

  private static String plain(String markdown) {
    return markdown.replaceAll("\\[(.*?)]\\(.*?\\)", "$1").replace("`", "");
  }
}
