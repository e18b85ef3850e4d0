package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

class LastcallPropertiesTest {
  private final StandardEnvironment environment = new StandardEnvironment();

  private void addLast(String file, Map<String, Object> properties) {
    environment.getPropertySources().addLast(new MapPropertySource(file, properties));
  }

  @Test
  void configure_anotherSpellingInAFileOfLowerPrecedence_doesNotCount() {
    addLast("prod", Map.of("lastcall.grace-period", "${grace}"));
    addLast("base", Map.of("lastcall.gracePeriod", "30s", "grace", "60s"));
    GracefulShutdownBuilder builder = GracefulShutdown.builder();
    LastcallProperties.configure(builder, environment);
    assertEquals(Duration.ofSeconds(60), builder.plan().gracePeriod());
  }

  @Test
  void configure_offWithoutQuotesInYaml_isOff() throws Exception {
    byte[] yaml = "lastcall: {probe-port: off}".getBytes(StandardCharsets.UTF_8);
    new YamlPropertySourceLoader()
        .load("application.yml", new ByteArrayResource(yaml))
        .forEach(environment.getPropertySources()::addLast);
    GracefulShutdownBuilder builder = GracefulShutdown.builder().probePort(8081);
    LastcallProperties.configure(builder, environment);
    assertEquals(Optional.empty(), builder.plan().probePort());
  }
}
