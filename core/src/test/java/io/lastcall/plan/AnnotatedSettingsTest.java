package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.probe.ReadinessPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AnnotatedSettingsTest {
  @ShutdownSettings(
      gracePeriod = "40s",
      propagationDelay = "5s",
      lateRequests = LateRequestPolicy.REJECT,
      cleanExitCode = 143,
      stopSignals = {"TERM", "USR1"})
  static class Orders {}

  static class Derived extends Orders {}

  static class OtherDerived extends Orders {}

  @ShutdownSettings(gracePeriod = "40")
  static class NoUnit {}

  private final Properties properties = new Properties();

  @Test
  void find_attributesThatAreSet_areValuesWithTheClassAsSource() {
    ShutdownPlan plan = plan(Map.of(), Orders.class);
    assertEquals(Duration.ofSeconds(40), plan.gracePeriod());
    assertEquals(Duration.ofSeconds(5), plan.propagationDelay());
    assertEquals(LateRequestPolicy.REJECT, plan.lateRequests());
    assertEquals(143, plan.cleanExitCode());
    assertEquals(List.of("TERM", "USR1"), plan.stopSignals());
    assertEquals("annotation Orders", plan.value(Setting.GRACE_PERIOD).sourceText());
  }

  @Test
  void find_attributesLeftAtTheirDefault_leaveTheSettingsDefault() {
    ShutdownPlan plan = plan(Map.of(), Orders.class);
    assertEquals("default", plan.value(Setting.RESERVE).sourceText());
  }

  @ShutdownSettings(
      gracePeriod = "30s",
      propagationDelay = "15s",
      propagationMinimum = "15s",
      propagationRouters = 10,
      preStopDelay = "0s",
      preStopToken = "off",
      readinessPolicy = ReadinessPolicy.AFTER_PROPAGATION,
      readinessHold = "0s",
      drainTimeout = "9750ms",
      lateRequests = LateRequestPolicy.SERVE,
      closeTimeout = "3250ms",
      exitTimeout = "1s",
      exitDrainTimeout = "5s",
      reserve = "1s",
      cleanExitCode = 0,
      stopSignals = "TERM",
      reportLog = "LINES",
      reportFile = "off")
  static class Defaults {}

  @Test
  void find_everyAttributeSetToItsOwnDefault_countsAsSet() {
    Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    ShutdownPlan defaults = plan(pod);
    ShutdownPlan plan = plan(pod, Defaults.class);
    for (Setting<?> setting : Setting.all()) {
      assertTrue(defaults.value(setting).isDefault(), setting.name());
      assertEquals(defaults.value(setting).value(), plan.value(setting).value(), setting.name());
      assertEquals("annotation Defaults", plan.value(setting).sourceText(), setting.name());
    }
  }

  @ShutdownSettings(cleanExitCode = {0, 143})
  static class TwoCodes {}

  @ShutdownSettings(readinessPolicy = {ReadinessPolicy.IMMEDIATE, ReadinessPolicy.NEVER})
  static class TwoPolicies {}

  @Test
  void annotated_severalValuesWhereOneIsAllowed_areRefusedNamingThem() {
    for (Class<?> two : List.of(TwoCodes.class, TwoPolicies.class)) {
      Exception refusal =
          assertThrows(IllegalArgumentException.class, () -> plan(Map.of(), two), two.getName());
      String message = String.valueOf(refusal.getMessage());
      assertTrue(
          message.matches(".*(cleanExitCode=0,143|=IMMEDIATE,NEVER): .*; allowed: .*"), message);
    }
  }

  @Test
  void find_ofASubclass_inheritsTheSettings() {
    assertEquals(Duration.ofSeconds(40), plan(Map.of(), Derived.class).gracePeriod());
  }

  @Test
  void annotated_twoClassesThatInheritTheSame_areOneByTheClassThatHasThem() {
    ShutdownPlan plan = plan(Map.of(), Derived.class, Object.class, OtherDerived.class);
    assertEquals("annotation Orders", plan.value(Setting.GRACE_PERIOD).sourceText());
  }

  @Test
  void find_environmentAndCode_winOverTheAnnotation() {
    SettingSources sources = new SettingSources(Map.of("LASTCALL_GRACE_PERIOD", "50s"), properties);
    sources.set(Setting.PROPAGATION_DELAY, Duration.ofSeconds(7));
    sources.annotated(Orders.class);
    ShutdownPlan plan = ShutdownPlan.of(sources);
    assertEquals(Duration.ofSeconds(50), plan.gracePeriod());
    assertEquals(Duration.ofSeconds(7), plan.propagationDelay());
  }

  @Test
  void find_unparsableAttribute_isRefusedNamingClassAttributeAndValue() {
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> plan(Map.of(), NoUnit.class));
    assertEquals(
        "@ShutdownSettings on io.lastcall.plan.AnnotatedSettingsTest$NoUnit: gracePeriod=40: the"
            + " unit is missing; allowed: a duration with unit such as 30s, 500ms, 1m30s or PT30S,"
            + " from 0s to 168h",
        refusal.getMessage());
  }

  @Test
  void annotated_unparsableAttributeThatIsOverridden_isRefusedAllTheSame() {
    assertThrows(
        IllegalArgumentException.class,
        () -> plan(Map.of("LASTCALL_GRACE_PERIOD", "30s"), NoUnit.class));
  }

  @Test
  void annotated_twoClassesWithSettings_isRefusedNamingBoth() {
    Exception refusal =
        assertThrows(
            IllegalArgumentException.class, () -> plan(Map.of(), Orders.class, NoUnit.class));
    assertEquals(
        "@ShutdownSettings on io.lastcall.plan.AnnotatedSettingsTest$Orders and on"
            + " io.lastcall.plan.AnnotatedSettingsTest$NoUnit; allowed: one component with settings",
        refusal.getMessage());
  }

  @ShutdownSettings(probePort = "9090")
  static class Probed {}

  @Test
  void annotated_settingOfAnArtifactThatIsMissing_isRefusedNamingTheArtifact() {
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> plan(Map.of(), Probed.class));
    assertEquals(
        "@ShutdownSettings on io.lastcall.plan.AnnotatedSettingsTest$Probed: probePort=9090: it is"
            + " a setting of lastcall-probe-server, which is missing; allowed: that artifact beside"
            + " lastcall-core, or off",
        refusal.getMessage());
  }

  @Test
  void attribute_ofEverySetting_existsAndNoOther() {
    List<String> attributes =
        Arrays.stream(ShutdownSettings.class.getDeclaredMethods())
            .map(Method::getName)
            .sorted()
            .toList();
    List<String> expected =
        Stream.concat(Setting.all().stream(), Setting.elsewhere().stream())
            .map(AnnotatedSettings::attribute)
            .sorted()
            .toList();
    assertEquals(expected, attributes);
  }

  private ShutdownPlan plan(Map<String, String> environment, Class<?>... components) {
    SettingSources sources = new SettingSources(environment, properties);
    Arrays.stream(components).forEach(sources::annotated);
    return ShutdownPlan.of(sources);
  }
}
