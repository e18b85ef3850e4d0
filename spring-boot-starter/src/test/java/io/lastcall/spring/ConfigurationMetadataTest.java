package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.plan.PlanValue;
import io.lastcall.plan.Setting;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.plan.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What an editor offers in {@code application.yml} is what there is. */
class ConfigurationMetadataTest {
  private static final Pattern PROPERTY =
      Pattern.compile(
          "\"name\": \"(lastcall\\..*?)\".*?\"description\": \"(.*?)\"", Pattern.DOTALL);

  /** Those of the artifacts that the starter brings included. */
  private static final List<Setting<?>> SETTINGS = GracefulShutdown.builder().settings();

  /** Their defaults follow from other settings. */
  private static final Set<String> DERIVED =
      Set.of("propagation-minimum", "drain-timeout", "pre-stop-token");

  @Test
  void metadata_names_areTheSettings() throws IOException {
    Set<String> expected = new TreeSet<>(Set.of("lastcall.enabled", "lastcall.work.enabled"));
    SETTINGS.forEach(setting -> expected.add(setting.property()));
    assertEquals(expected, descriptions().keySet());
  }

  @Test
  void metadata_descriptions_endWithTheDefault() throws IOException {
    Map<String, String> descriptions = descriptions();
    // Long enough for every default that shrinks to fit.
    Map<String, String> environment =
        Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "LASTCALL_GRACE_PERIOD", "10m");
    List<Setting<?>> others = new ArrayList<>(SETTINGS);
    others.removeAll(Setting.all());
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(environment, new Properties(), others));
    for (PlanValue<?> value : plan.values()) {
      boolean plain = value.source() == Source.DEFAULT && !DERIVED.contains(value.name());
      String description = String.valueOf(descriptions.get("lastcall." + value.name()));
      String end = ".*\\. Default: " + (plain ? Pattern.quote(value.text()) : "") + ".*\\.";
      assertTrue(description.matches(end), value + ": " + description);
    }
  }

  private static Map<String, String> descriptions() throws IOException {
    Map<String, String> descriptions = new TreeMap<>();
    String metadata =
        Files.readString(Path.of("src/main/resources/META-INF/spring-configuration-metadata.json"));
    Matcher properties = PROPERTY.matcher(metadata);
    while (properties.find()) {
      descriptions.put(properties.group(1), properties.group(2));
    }
    return descriptions;
  }
}
