package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

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
}
