package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.plan.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What an editor offers in {@code application.yml} is what there is. */
class ConfigurationMetadataTest {
  private static final Pattern NAME = Pattern.compile("\"name\": \"(lastcall\\..*?)\"");

  @Test
  void metadata_names_areTheSettings() throws IOException {
    Set<String> expected = new TreeSet<>(Set.of("lastcall.enabled"));
    Setting.all().forEach(setting -> expected.add(setting.property()));
    Set<String> offered = new TreeSet<>();
    Matcher names = NAME.matcher(metadata());
    while (names.find()) {
      offered.add(names.group(1));
    }
    assertEquals(expected, offered);
  }

  private static String metadata() throws IOException {
    return Files.readString(
        Path.of("src/main/resources/META-INF/spring-configuration-metadata.json"));
  }
}
