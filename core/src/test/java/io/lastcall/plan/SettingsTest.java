package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.probe.ReadinessPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final String DURATIONS =
      "; allowed: a duration with unit such as 30s, 500ms, 1m30s or PT30S, from 0s to 168h";

  /** As an extension has it. */
  private static final Setting<Optional<Integer>> BELL =
      Setting.optional("bell-port", "Where it rings. Default: off.", "a number", Integer::valueOf);

  private final Map<String, String> environment = new HashMap<>();
  private final Properties properties = new Properties();
  private final SettingSources sources = new SettingSources(environment, properties);

  private String refusal() {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> ShutdownPlan.of(sources)).getMessage());
  }

  private <T> String refusalOfCode(Setting<T> setting, T value) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> sources.set(setting, value))
            .getMessage());
  }

  private String source(Setting<?> setting) {
    return ShutdownPlan.of(sources).value(setting).sourceText();
  }

  @Test
  void find_everySourceHasIt_systemPropertyCounts() {
    sources.set(Setting.GRACE_PERIOD, Duration.ofSeconds(10));
    environment.put("LASTCALL_GRACE_PERIOD", "20s");
    properties.setProperty("lastcall.grace-period", "40s");
    assertEquals(Duration.ofSeconds(40), ShutdownPlan.of(sources).gracePeriod());
    assertEquals(
        "system property lastcall.grace-period, not 20s (environment LASTCALL_GRACE_PERIOD), 10s"
            + " (code)",
        source(Setting.GRACE_PERIOD));
  }

  @Test
  void find_sourcesAgree_noneIsNamedAsLost() {
    sources.set(Setting.GRACE_PERIOD, Duration.ofSeconds(60));
    environment.put("LASTCALL_GRACE_PERIOD", "60s");
    properties.setProperty("lastcall.grace-period", "1m");
    assertEquals("system property lastcall.grace-period", source(Setting.GRACE_PERIOD));
  }

  @Test
  void find_lostValueIsNoValue_isNamedAsItStands() {
    environment.put("LASTCALL_GRACE_PERIOD", "40");
    properties.setProperty("lastcall.grace-period", "25s");
    assertEquals(
        "system property lastcall.grace-period, not 40 (environment LASTCALL_GRACE_PERIOD)",
        source(Setting.GRACE_PERIOD));
  }

  @Test
  void find_lostValueIsASecret_isNotShown() {
    for (String lost : List.of("lost-secret-0123456789", "bad secret")) {
      environment.put("LASTCALL_PRE_STOP_TOKEN", lost);
      properties.setProperty("lastcall.pre-stop-token", "other-secret-0123456789");
      String source = source(Setting.PRE_STOP_TOKEN);
      assertTrue(source.contains("(environment LASTCALL_PRE_STOP_TOKEN)"), source);
      assertFalse(source.contains("secret-0123456789") || source.contains("bad"), source);
    }
  }

  @Test
  void configure_twice_theLaterCountsAndTheEarlierIsNamed() {
    sources.configure("grace-period", "20s", "base.yml lastcall.grace-period");
    sources.configure("grace-period", "25s", "prod.yml lastcall.grace-period");
    assertEquals(
        "configuration prod.yml lastcall.grace-period, not 20s (configuration base.yml"
            + " lastcall.grace-period)",
        source(Setting.GRACE_PERIOD));
  }

  @Test
  void find_configurationAndCode_configurationCounts() {
    sources.set(Setting.GRACE_PERIOD, Duration.ofSeconds(10));
    sources.configure("grace-period", "20s", "application.yml lastcall.grace-period");
    assertEquals(Duration.ofSeconds(20), ShutdownPlan.of(sources).gracePeriod());
    assertEquals(
        "configuration application.yml lastcall.grace-period, not 10s (code)",
        source(Setting.GRACE_PERIOD));
  }

  @Test
  void find_environmentAndConfiguration_environmentCounts() {
    sources.configure("grace-period", "20s", "application.yml");
    environment.put("LASTCALL_GRACE_PERIOD", "30s");
    assertEquals(
        "environment LASTCALL_GRACE_PERIOD, not 20s (configuration application.yml)",
        source(Setting.GRACE_PERIOD));
  }

  @Test
  void configure_noValueOrNoSuchSetting_isRefusedAtOnce() {
    assertEquals(
        "application.yml lastcall.drain-timeout=soon: it is not a duration" + DURATIONS,
        refusalOfConfiguration("drain-timeout", "soon"));
    assertEquals(
        "application.yml lastcall.drain-timout: there is no setting drain-timout; the nearest known name"
            + " is drain-timeout",
        refusalOfConfiguration("drain-timout", "5s"));
  }

  private String refusalOfConfiguration(String name, String text) {
    Exception refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> sources.configure(name, text, "application.yml lastcall." + name));
    return String.valueOf(refusal.getMessage());
  }

  @Test
  void find_environmentAndCode_environmentCounts() {
    sources.set(Setting.GRACE_PERIOD, Duration.ofSeconds(10));
    environment.put("LASTCALL_GRACE_PERIOD", "20s");
    assertEquals(Duration.ofSeconds(20), ShutdownPlan.of(sources).gracePeriod());
    assertEquals("environment LASTCALL_GRACE_PERIOD, not 10s (code)", source(Setting.GRACE_PERIOD));
  }

  @Test
  void find_codeAndDefault_codeCounts() {
    sources.set(Setting.GRACE_PERIOD, Duration.ofSeconds(10));
    assertEquals(Duration.ofSeconds(10), ShutdownPlan.of(sources).gracePeriod());
    assertEquals("code", source(Setting.GRACE_PERIOD));
  }

  @Test
  void find_nowhere_defaultCountsAndSaysWhy() {
    assertEquals("default, as in Kubernetes", source(Setting.GRACE_PERIOD));
    assertEquals("default", source(Setting.RESERVE));
  }

  @Test
  void parse_choicesInAnyCase_areFound() {
    properties.setProperty("lastcall.readiness-policy", " never ");
    environment.put("LASTCALL_LATE_REQUESTS", "Reject");
    ShutdownPlan plan = ShutdownPlan.of(sources);
    assertEquals(ReadinessPolicy.NEVER, plan.readinessPolicy());
    assertEquals(LateRequestPolicy.REJECT, plan.lateRequests());
    properties.setProperty("lastcall.readiness-policy", "after-propagation");
    assertEquals(ReadinessPolicy.AFTER_PROPAGATION, ShutdownPlan.of(sources).readinessPolicy());
  }

  @Test
  void parse_unitMissing_namesKeyValueSourceAndWhatIsAllowed() {
    environment.put("LASTCALL_GRACE_PERIOD", "30");
    assertEquals(
        "environment LASTCALL_GRACE_PERIOD=30: the unit is missing" + DURATIONS, refusal());
  }

  @Test
  void parse_negative_namesKeyValueSourceAndWhatIsAllowed() {
    properties.setProperty("lastcall.drain-timeout", "-5s");
    assertEquals(
        "system property lastcall.drain-timeout=-5s: it is negative" + DURATIONS, refusal());
  }

  @Test
  void parse_absurd_namesKeyValueSourceAndWhatIsAllowed() {
    properties.setProperty("lastcall.propagation-delay", "15000h");
    assertEquals(
        "system property lastcall.propagation-delay=15000h: it is longer than a week" + DURATIONS,
        refusal());
  }

  @Test
  void parse_unknownChoice_listsTheChoices() {
    environment.put("LASTCALL_READINESS_POLICY", "sometimes");
    assertEquals(
        "environment LASTCALL_READINESS_POLICY=sometimes: it is not one of these; allowed:"
            + " AFTER_PROPAGATION, IMMEDIATE, NEVER",
        refusal());
    environment.clear();
    environment.put("LASTCALL_LATE_REQUESTS", "");
    assertEquals(
        "environment LASTCALL_LATE_REQUESTS=: it is not one of these; allowed: SERVE, REJECT",
        refusal());
  }

  @Test
  void parse_otherExitCode_isNoCleanExit() {
    environment.put("LASTCALL_CLEAN_EXIT_CODE", "7");
    assertEquals(
        "environment LASTCALL_CLEAN_EXIT_CODE=7: it would not read as a clean exit; allowed: 0 or"
            + " 143",
        refusal());
    environment.put("LASTCALL_CLEAN_EXIT_CODE", "143");
    assertEquals(143, ShutdownPlan.of(sources).cleanExitCode());
  }

  @Test
  void parse_badRouters_saysWhatIsWrong() {
    String allowed = "; allowed: a number from 1 to 100000";
    for (String text : List.of("", "many", "-1", "1.5", "1000000")) {
      environment.put("LASTCALL_PROPAGATION_ROUTERS", text);
      assertEquals(
          "environment LASTCALL_PROPAGATION_ROUTERS="
              + text
              + ": it is not a whole number in range"
              + allowed,
          refusal());
    }
    for (String text : List.of("0", "100001")) {
      environment.put("LASTCALL_PROPAGATION_ROUTERS", text);
      assertEquals(
          "environment LASTCALL_PROPAGATION_ROUTERS=" + text + ": it is out of range" + allowed,
          refusal());
    }
  }

  @Test
  void parse_off_isReadInAnyCase() {
    List<Setting<?>> optional = List.of(Setting.PRE_STOP_TOKEN, Setting.REPORT_FILE, BELL);
    for (String text : List.of("off", "OFF", " Off ")) {
      for (Setting<?> setting : optional) {
        assertEquals(setting.parse("off", "here"), setting.parse(text, "here"), setting.name());
      }
    }
  }

  @Test
  void parse_badFiles_sayWhatIsWrong() {
    String allowed = "; allowed: an absolute path, or off";
    environment.put("LASTCALL_REPORT_FILE", "run/ready");
    assertEquals(
        "environment LASTCALL_REPORT_FILE=run/ready: it is not absolute" + allowed, refusal());
    environment.put("LASTCALL_REPORT_FILE", "/run/\0/ready");
    assertEquals(
        "environment LASTCALL_REPORT_FILE=/run/\0/ready: it is no path" + allowed, refusal());
  }

  @Test
  void parse_badSignals_areRefused() {
    for (String text : List.of("", "TERM,", "SIG TERM", "15", "-TERM")) {
      environment.put("LASTCALL_STOP_SIGNALS", text);
      assertEquals(
          "environment LASTCALL_STOP_SIGNALS="
              + text
              + ": it is not a list of signal names; allowed: signal names separated by commas,"
              + " such as TERM or TERM,USR1",
          refusal());
    }
  }

  @Test
  void parse_signals_withOrWithoutSigInAnyCase_areTheSameOnce() {
    environment.put("LASTCALL_STOP_SIGNALS", "sigterm, USR1,TERM");
    assertEquals(List.of("TERM", "USR1"), ShutdownPlan.of(sources).stopSignals());
  }

  @Test
  void set_signalsWithSig_areTheSameAsInText() {
    sources.set(Setting.STOP_SIGNALS, List.of("SIGTERM", "term", "usr1"));
    assertEquals(List.of("TERM", "USR1"), ShutdownPlan.of(sources).stopSignals());
  }

  @Test
  void set_badValues_areRefusedAtOnceNamingTheCode() {
    assertEquals(
        "grace-period=PT-1S (code): it is negative" + DURATIONS,
        refusalOfCode(Setting.GRACE_PERIOD, Duration.ofSeconds(-1)));
    assertEquals(
        "reserve=PT192H (code): it is longer than a week" + DURATIONS,
        refusalOfCode(Setting.RESERVE, Duration.ofDays(8)));
    assertEquals(
        "clean-exit-code=1 (code): it would not read as a clean exit; allowed: 0 or 143",
        refusalOfCode(Setting.CLEAN_EXIT_CODE, 1));
    assertEquals(
        "stop-signals= (code): it is not a list of signal names; allowed: signal names separated by"
            + " commas, such as TERM or TERM,USR1",
        refusalOfCode(Setting.STOP_SIGNALS, List.of()));
  }

  @Test
  void warnings_unknownVariable_nameTheNearestKnownOneAndDoNotRefuse() {
    environment.put("LASTCALL_GRACE_PERIDO", "20s");
    environment.put("LASTCALL_PORT", "80");
    environment.put("LASTCALL_ENABLED", "true"); // the Spring Boot starters'
    environment.put("OTHER", "1");
    properties.setProperty("lastcall.drain_timeout", "5s");
    List<String> warnings = sources.unknownNames();
    assertEquals(3, warnings.size(), warnings::toString);
    assertEquals(
        "Unknown environment variable LASTCALL_GRACE_PERIDO is ignored; the nearest known name is"
            + " LASTCALL_GRACE_PERIOD",
        warnings.get(0));
    assertTrue(
        warnings.get(1).startsWith("Unknown environment variable LASTCALL_PORT is ignored;"));
    assertEquals(
        "Unknown system property lastcall.drain_timeout is ignored; the nearest known name is"
            + " lastcall.drain-timeout",
        warnings.get(2));
    assertEquals(Duration.ofSeconds(30), ShutdownPlan.of(sources).gracePeriod());
  }

  /** Services named lastcall, lastcall-gateway and lastcall-probe, with named and IPv6 ports. */
  @Test
  void unknownNames_linksOfServices_areNotSettings() {
    environment.put("LASTCALL_SERVICE_HOST", "10.0.0.1");
    environment.put("LASTCALL_SERVICE_PORT", "8080");
    environment.put("LASTCALL_SERVICE_PORT_HTTP_ADMIN", "8081");
    environment.put("LASTCALL_PORT", "tcp://10.0.0.1:8080");
    environment.put("LASTCALL_PORT_8080_TCP", "tcp://10.0.0.1:8080");
    environment.put("LASTCALL_PORT_8080_TCP_PROTO", "tcp");
    environment.put("LASTCALL_PORT_8080_TCP_PORT", "8080");
    environment.put("LASTCALL_PORT_8080_TCP_ADDR", "10.0.0.1");
    environment.put("LASTCALL_GATEWAY_SERVICE_HOST", "fd00::7");
    environment.put("LASTCALL_GATEWAY_PORT", "udp://[fd00::7]:53");
    environment.put("LASTCALL_GATEWAY_PORT_53_UDP", "udp://[fd00::7]:53");
    environment.put("LASTCALL_GATEWAY_PORT_53_UDP_ADDR", "fd00::7");
    environment.put("LASTCALL_BELL_PORT", "tcp://10.0.0.2:80");
    SettingSources extended = new SettingSources(environment, properties, BELL);
    assertEquals(List.of(), extended.unknownNames());
    extended.configure("bell-port", "tcp://10.0.0.2:80", "systemEnvironment LASTCALL_BELL_PORT");
    assertTrue(ShutdownPlan.of(extended).value(BELL).isDefault(), "a link is no value");
    environment.put("LASTCALL_BELL_PORT", "7");
    assertEquals(Optional.of(7), ShutdownPlan.of(extended).value(BELL).value());
  }

  /** By the edit distance alone it would be {@code LASTCALL_RESERVE}. */
  @Test
  void warnings_beginningOfAKnownName_nameThat() {
    environment.put("LASTCALL_GRACE", "20s");
    String warning = sources.unknownNames().get(0);
    assertTrue(warning.endsWith(" LASTCALL_GRACE_PERIOD"), warning);
  }

  @Test
  void find_settingOfAnExtension_isReadAndRefusedAsCores() {
    SettingSources extended = new SettingSources(environment, properties, BELL);
    assertEquals("default", ShutdownPlan.of(extended).value(BELL).sourceText());
    environment.put("LASTCALL_BELL_PORT", "7");
    PlanValue<Optional<Integer>> bell = ShutdownPlan.of(extended).value(BELL);
    assertEquals(Optional.of(7), bell.value());
    assertEquals("environment LASTCALL_BELL_PORT", bell.sourceText());
    extended.configure("bell-port", "8", "application.yml lastcall.bell-port");
    properties.setProperty("lastcall.bell-port", "9");
    assertEquals("9", ShutdownPlan.of(extended).value(BELL).text());
    properties.setProperty("lastcall.bell-port", "loud");
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> ShutdownPlan.of(extended));
    assertEquals(
        "system property lastcall.bell-port=loud: For input string: \"loud\"; allowed: a number, or"
            + " off",
        refusal.getMessage());
    assertTrue(sources.unknownNames().get(0).startsWith("Unknown environment variable"));
    assertEquals(List.of(), extended.unknownNames());
  }

  @Test
  void find_settingOfAnArtifactThatIsMissing_isRefusedNamingTheArtifact() {
    String why =
        "it is a setting of lastcall-probe-server, which is missing; allowed: that artifact beside"
            + " lastcall-core, or off";
    environment.put("LASTCALL_PROBE_PORT", "9090");
    assertEquals("environment LASTCALL_PROBE_PORT=9090: " + why, refusal());
    environment.put("LASTCALL_PROBE_PORT", "off");
    properties.setProperty("lastcall.readiness-file", "/tmp/ready");
    assertEquals("system property lastcall.readiness-file=/tmp/ready: " + why, refusal());
    properties.clear();
    assertEquals(
        "application.yml lastcall.readiness-port=1: " + why,
        refusalOfConfiguration("readiness-port", "1"));
    assertTrue(ShutdownPlan.of(sources).values().stream().noneMatch(SettingsTest::isOfAnArtifact));
  }

  private static boolean isOfAnArtifact(PlanValue<?> value) {
    return Setting.elsewhere().stream().anyMatch(other -> other.name().equals(value.name()));
  }

  @Test
  void find_serviceLinkForWhatIsNoPort_isRefused() {
    environment.put("LASTCALL_GRACE_PERIOD", "tcp://10.0.0.1:80");
    assertEquals(
        "environment LASTCALL_GRACE_PERIOD=tcp://10.0.0.1:80: it is not a duration; allowed: a"
            + " duration with unit such as 30s, 500ms, 1m30s or PT30S, from 0s to 168h",
        refusal());
  }

  @Test
  void warnings_spellingThatAFrameworkHasTaken_areNoneOfThatAlone() {
    environment.put("LASTCALL_GRACEPERIOD", "20s");
    environment.put("LASTCALL_DRAINTIMEOUT", "5s");
    sources.configure("grace-period", "20s", "systemEnvironment LASTCALL_GRACEPERIOD");
    assertEquals(
        List.of(
            "Unknown environment variable LASTCALL_DRAINTIMEOUT is ignored; the nearest known name"
                + " is LASTCALL_DRAIN_TIMEOUT"),
        sources.unknownNames());
  }

  @Test
  void warnings_knownNameInAnotherSpelling_nameTheOneThatIsRead() {
    environment.put("lastcall_grace_period", "20s");
    environment.put("lastcall.grace-period", "20s");
    properties.setProperty("LASTCALL_GRACE_PERIOD", "20s");
    assertEquals(
        List.of(
            "Unknown environment variable lastcall.grace-period is ignored; the nearest known name"
                + " is LASTCALL_GRACE_PERIOD",
            "Unknown environment variable lastcall_grace_period is ignored; the nearest known name"
                + " is LASTCALL_GRACE_PERIOD",
            "Unknown system property LASTCALL_GRACE_PERIOD is ignored; the nearest known name is"
                + " lastcall.grace-period"),
        sources.unknownNames());
  }

  @Test
  void warnings_knownNames_areNone() {
    for (Setting<?> setting : Setting.all()) {
      environment.put(setting.variable(), "1s");
      properties.setProperty(setting.property(), "1s");
    }
    assertEquals(List.of(), sources.unknownNames());
  }
}
