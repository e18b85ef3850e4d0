package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.plan.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An editor offers in {@code application.yml} the settings that there are, in the same words. */
class ConfigurationMetadataTest {
  private static final Path METADATA =
      Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");
  private static final Pattern PROPERTY =
      Pattern.compile(
          "\"name\": \"(lastcall\\..*?)\".*?\"description\": \"(.*?)\"", Pattern.DOTALL);

  @Test
  void metadata_everySetting_isThereWithItsMeaningAndDefault() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    expected.put("lastcall.enabled", "Whether Lastcall is installed at all.");
    expected.put(
        "lastcall.work.enabled",
        "Whether message listeners, @Scheduled tasks and executors take part in the shutdown.");
    for (Setting<?> setting : GracefulShutdown.builder().settings()) {
      expected.put(setting.property(), setting.words());
    }
    Map<String, String> descriptions = new TreeMap<>();
    Matcher properties = PROPERTY.matcher(Files.readString(METADATA));
    while (properties.find()) {
      descriptions.put(properties.group(1), properties.group(2));
    }
    assertEquals(expected, descriptions);
  }
}
