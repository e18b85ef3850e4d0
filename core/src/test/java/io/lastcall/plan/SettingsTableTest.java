package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.SettingWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The builder and the page of settings say of each setting what the table says; the plan and the
 * annotation link to the builder.
 */
class SettingsTableTest {
  private static final Path MAIN = Path.of("src/main/java/io/lastcall");

  @Test
  void page_everySetting_isInTheTableOnce() throws IOException {
    List<String> names =
        Stream.concat(Setting.all().stream(), Setting.elsewhere().stream())
            .map(Setting::name)
            .sorted()
            .toList();
    assertEquals(names, SettingWords.rows().keySet().stream().sorted().toList());
  }

  @Test
  void page_everyRow_hasTheDefaultAndBeginsWithTheMeaning() throws IOException {
    for (Setting<?> setting : Setting.all()) {
      SettingWords.assertOnPage(setting);
    }
  }

  @Test
  void builder_everySetter_saysMeaningAndDefault() throws IOException {
    for (Setting<?> setting : Setting.all()) {
      String doc = javadoc("GracefulShutdownBuilder.java", setter(setting));
      assertTrue(doc.startsWith(setting.words()), setting.name() + ": " + doc);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan/ShutdownPlan.java", "annotation/ShutdownSettings.java"})
  void javadoc_everySetting_linksToItsSetter(String file) throws IOException {
    for (Setting<?> setting : Setting.all()) {
      String doc = javadoc(file, AnnotatedSettings.attribute(setting));
      String link = "As {@link io.lastcall.GracefulShutdownBuilder#" + setter(setting) + "}.";
      assertTrue(doc.startsWith(link), file + " " + setting.name() + ": " + doc);
    }
  }

  private static String setter(Setting<?> setting) {
    return setting.equals(Setting.PROPAGATION_MINIMUM)
        ? "adaptivePropagation" // sets two
        : AnnotatedSettings.attribute(setting);
  }

  /** The comment of a method, in one line. */
  private static String javadoc(String file, String method) throws IOException {
    String source = Files.readString(MAIN.resolve(file));
    String[] before = source.split(Pattern.quote(" " + method + "("), 2);
    assertEquals(2, before.length, "no method " + method);
    String comment = before[0].substring(before[0].lastIndexOf("/**") + 3);
    comment = comment.substring(0, comment.indexOf("*/"));
    return comment.replaceAll("\\s*\\n\\s*\\* ?", " ").strip();
  }

  @Test
  void usual_everyDefaultThatIsNoComputation_isAValue() {
    List<Setting<?>> computed = List.of(Setting.PROPAGATION_MINIMUM, Setting.DRAIN_TIMEOUT);
    for (Setting<?> setting : Setting.all()) {
      if (!computed.contains(setting)) {
        assertTrue(setting.words().contains("Default: " + text(setting)), setting.words());
      }
    }
  }

  private static <T> String text(Setting<T> setting) {
    return setting.format(setting.usual());
  }
}
