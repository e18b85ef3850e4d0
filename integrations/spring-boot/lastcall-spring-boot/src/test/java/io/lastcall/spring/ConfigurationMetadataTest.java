package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.plan.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An editor offers in {@code application.yml} the settings that there are, in the same words. */
class ConfigurationMetadataTest {
  private static final Pattern PROPERTY =
      Pattern.compile(
          "\"name\": \"(lastcall\\.[a-z.-]+)\",\\s*\"type\": \"(.*?)\",\\s*\"description\":"
              + " \"(.*?)\"");

  @Test
  void metadata_everySetting_isThereWithItsTypeMeaningAndDefault() throws Exception {
    Map<String, String> expected = new TreeMap<>();
    expected.put("lastcall.enabled", "Whether Lastcall is installed at all.");
    expected.put(
        "lastcall.work.enabled",
        "Whether message listeners, scheduled tasks and executors take part in the shutdown.");
    expected.put(
        "lastcall.stop-first",
        "Beans that take work, stopped at the trigger: names, or bean.method. Default: none.");
    Map<String, String> descriptions = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    Path classes =
        Path.of(
            Objects.requireNonNull(LastcallProperties.class.getProtectionDomain().getCodeSource())
                .getLocation()
                .toURI());
    Matcher properties =
        PROPERTY.matcher(
            Files.readString(classes.resolve("META-INF/spring-configuration-metadata.json")));
    while (properties.find()) {
      types.put(properties.group(1), properties.group(2));
      descriptions.put(properties.group(1), properties.group(3).replace("\\/", "/"));
    }
    for (Setting<?> setting : GracefulShutdown.builder().settings()) {
      expected.put(setting.property(), setting.words());
      assertEquals(
          isDuration(setting),
          Duration.class.getName().equals(types.get(setting.property())),
          setting::property);
    }
    assertEquals(expected, descriptions);
  }

  private static boolean isDuration(Setting<?> setting) {
    try {
      return setting.parse("7s", "test") instanceof Duration;
    } catch (IllegalArgumentException other) {
      return false;
    }
  }
}
