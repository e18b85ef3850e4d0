package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.plan.Durations;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

class SettingBindingTest {
  private final StandardEnvironment environment = new StandardEnvironment();

  private void addLast(String file, Map<String, Object> properties) {
    environment.getPropertySources().addLast(new MapPropertySource(file, properties));
  }

  @Test
  void configure_anotherSpellingInAFileOfLowerPrecedence_doesNotCount() {
    addLast("prod", Map.of("lastcall.grace-period", "${grace}"));
    addLast("base", Map.of("lastcall.gracePeriod", "30s", "grace", "60s"));
    assertEquals(Duration.ofSeconds(60), configured().gracePeriod());
  }

  @Test
  void configure_spellingsOfSpringBootInTheEnvironment_areTaken() {
    environment
        .getPropertySources()
        .replace(
            "systemEnvironment",
            new SystemEnvironmentPropertySource(
                "systemEnvironment", Map.of("LASTCALL_GRACEPERIOD", "50s", "LASTCALL_PORT", "80")));
    environment
        .getPropertySources()
        .replace(
            "systemProperties",
            new MapPropertySource("systemProperties", Map.of("lastcall.readinessHold", "2s")));
    addLast("base", Map.of("lastcall.grace-period", "40s"));
    ShutdownPlan plan = configured();
    assertEquals(Duration.ofSeconds(50), plan.gracePeriod());
    assertEquals(Duration.ofSeconds(2), plan.readinessHold());
    assertTrue(plan.table().contains("configuration systemEnvironment LASTCALL_GRACEPERIOD"));
  }

  @Test
  void configure_filesDisagree_thePlanNamesWhatLost() throws Exception {
    addYaml("prod.yml", "lastcall: {grace-period: 50s, drain-timeout: 9s}");
    addYaml("base.yml", "lastcall: {gracePeriod: 40s, drain-timeout: \"${NO_SUCH}\"}");
    addYaml("other.yml", "lastcall: {grace-period: 50s, drain-timeout: soon}");
    ShutdownPlan plan = configured();
    assertEquals(
        "configuration prod.yml:1 lastcall.grace-period, not 40s (configuration base.yml:1"
            + " lastcall.gracePeriod)",
        plan.value(Setting.GRACE_PERIOD).sourceText());
    assertEquals(
        "configuration prod.yml:1 lastcall.drain-timeout",
        plan.value(Setting.DRAIN_TIMEOUT).sourceText());
  }

  @Test
  void configure_listInYaml_isAListOfThatFileAlone() throws Exception {
    addYaml("prod.yml", "lastcall: {stop-signals: [TERM, USR1]}");
    addYaml("base.yml", "lastcall: {stop-signals: [TERM, QUIT, HUP]}");
    assertEquals(List.of("TERM", "USR1"), configured().stopSignals());
  }

  @Test
  void configure_emptyInYaml_isUnset() throws Exception {
    addYaml("prod.yml", "lastcall: {report-file: }");
    addYaml("base.yml", "lastcall:\n  report-file: /tmp/report.json\n");
    addYaml("other.yml", "lastcall:\n");
    assertEquals(Optional.empty(), configured().reportFile());
  }

  @Test
  void configure_scalarInYaml_isRefused() throws Exception {
    addYaml("application.yml", "lastcall: 30s");
    assertEquals(
        "application.yml:1 lastcall=30s: it has no value of its own; allowed: settings below it, such"
            + " as lastcall.grace-period: 30s",
        assertThrows(IllegalArgumentException.class, this::configured).getMessage());
  }

  /** A store of secrets, say: Spring Boot asks it by name. */
  @Test
  void configure_sourceThatCannotListItsNames_isAsked() {
    environment
        .getPropertySources()
        .addFirst(
            new PropertySource<>("vault") {
              @Override
              public @Nullable Object getProperty(String name) {
                return name.equals("lastcall.grace-period") ? "60s" : null;
              }
            });
    ShutdownPlan plan = configured();
    assertEquals(Duration.ofSeconds(60), plan.gracePeriod());
    assertTrue(plan.table().contains("configuration vault lastcall.grace-period"), plan.table());
  }

  @Test
  void configure_valueThatCoreAloneKnows_isTaken() {
    addLast("base", Map.of("lastcall.grace-period", "1m30s"));
    assertEquals(Duration.ofSeconds(90), configured().gracePeriod());
  }

  /** To Spring Boot a number is one of milliseconds. */
  @Test
  void configure_durationWithoutAUnit_isRefused() throws Exception {
    addYaml("application.yml", "lastcall:\n  grace-period: 30");
    assertEquals(
        "application.yml:2 lastcall.grace-period=30: the unit is missing; allowed: "
            + Durations.ALLOWED,
        assertThrows(IllegalArgumentException.class, this::configured).getMessage());
  }

  @Test
  void configure_placeholderWithoutAValue_isRefusedByTheNameOfItsProperty() throws Exception {
    addYaml("application.yml", "lastcall: {probe-port: '${NOWHERE}'}");
    assertEquals(
        "application.yml:1 lastcall.probe-port: Could not resolve placeholder 'NOWHERE' in value"
            + " \"${NOWHERE}\"; allowed: a placeholder that has a value, or a default as in"
            + " ${NAME:30s}",
        assertThrows(IllegalArgumentException.class, this::configured).getMessage());
  }

  @Test
  void configure_offWithoutQuotesInYaml_isOff() throws Exception {
    addYaml("application.yml", "lastcall: {report-file: off, probePort: off}");
    GracefulShutdownBuilder builder = GracefulShutdown.builder().reportFile(Path.of("/report"));
    SettingBinding.configure(builder, environment);
    assertEquals(Optional.empty(), builder.plan().reportFile());
  }

  private ShutdownPlan configured() {
    GracefulShutdownBuilder builder = GracefulShutdown.builder();
    SettingBinding.configure(builder, environment);
    return builder.plan();
  }

  private void addYaml(String name, String yaml) throws IOException {
    ByteArrayResource file = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
    new YamlPropertySourceLoader()
        .load(name, file)
        .forEach(environment.getPropertySources()::addLast);
  }
}
