package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.plan.PlanValue;
import io.lastcall.plan.Setting;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.CapturedLog;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.SettingWords;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The settings of this artifact, as core reads and refuses them once it is there. */
@Timeout(120)
class ProbeSettingsTest {
  private static final List<String> NAMES =
      List.of("probe-port", "readiness-file", "readiness-port");

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private String refusal() {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, harness.builder()::plan).getMessage());
  }

  private void assertRefusedAtInstall(String message) {
    Exception refusal = assertThrows(IllegalArgumentException.class, harness::install);
    assertEquals(message, refusal.getMessage());
    assertTrue(harness.jvm.signals().isEmpty());
    assertTrue(harness.jvm.claim(), "install() is undone");
  }

  @Test
  void settings_whereTheArtifactIsOnTheClassPath_areInThePlan() {
    List<String> rows = harness.builder().plan().values().stream().map(PlanValue::name).toList();
    assertEquals(NAMES, rows.subList(rows.size() - NAMES.size(), rows.size()));
    assertTrue(harness.builder().settings().containsAll(Setting.all()));
    assertEquals(Setting.all().size() + NAMES.size(), harness.builder().settings().size());
  }

  @Test
  void settings_ofThisArtifact_areOnThePageWithTheirDefaultAndMeaning() throws IOException {
    for (Setting<?> setting : harness.builder().settings()) {
      SettingWords.assertOnPage(setting);
    }
  }

  /** Core knows them by name only. */
  @Test
  void settings_whereTheArtifactIsMissing_areRefusedNamingIt() {
    for (String name : NAMES) {
      SettingSources core = new SettingSources(Map.of(), new Properties());
      Exception refusal =
          assertThrows(
              IllegalArgumentException.class, () -> core.configure(name, "1", "test " + name));
      assertEquals(
          "test %s=1: it is a setting of lastcall-probe-server, which is missing; allowed: that"
                  .formatted(name)
              + " artifact beside lastcall-core, or off",
          refusal.getMessage());
    }
  }

  @Test
  void settings_inAnAnnotation_areRead() {
    @ShutdownSettings(readinessFile = "/run/ready")
    class Orders {}
    ShutdownPlan plan = harness.builder().components(new Orders()).plan();
    assertTrue(plan.table().contains("/run/ready"), plan.table());
    assertTrue(plan.table().contains("annotation Orders"), plan.table());
  }

  @Test
  void ports_thatAreNone_areRefused() {
    for (String text : List.of("http", "-1", "65536", "123456", "")) {
      harness.environment.put("LASTCALL_PROBE_PORT", text);
      assertEquals(
          "environment LASTCALL_PROBE_PORT="
              + text
              + ": it is no port; allowed: a port from 0 to 65535, or off",
          refusal());
    }
    harness.environment.put("LASTCALL_PROBE_PORT", "off");
    harness.environment.put("LASTCALL_READINESS_PORT", "0");
    assertEquals(
        "environment LASTCALL_READINESS_PORT=0: it is any port; allowed: a port from 1 to 65535,"
            + " or off",
        refusal());
  }

  @Test
  void file_thatIsNoAbsolutePath_isRefused() {
    harness.environment.put("LASTCALL_READINESS_FILE", "run/ready");
    assertEquals(
        "environment LASTCALL_READINESS_FILE=run/ready: it is not absolute; allowed: an absolute"
            + " path, or off",
        refusal());
  }

  @Test
  void file_thatIsTheReportFile_isRefused() {
    harness.environment.put("LASTCALL_READINESS_FILE", "/run/ready");
    harness.environment.put("LASTCALL_REPORT_FILE", "/run/ready");
    assertEquals(
        "readiness-file=/run/ready (environment LASTCALL_READINESS_FILE): it is the report-file,"
            + " too; allowed: a file of its own",
        refusal());
  }

  @Test
  void readinessPort_thatIsTheProbePort_isRefused() {
    harness.environment.put("LASTCALL_PROBE_PORT", "9090");
    harness.environment.put("LASTCALL_READINESS_PORT", "9090");
    String refusal =
        "readiness-port=9090 (environment LASTCALL_READINESS_PORT): it is the probe-port, too;"
            + " allowed: a port of its own";
    assertEquals(refusal, refusal());
    assertRefusedAtInstall(refusal);
  }

  @Test
  void probePort_thatIsTaken_isRefusedAtInstallInOurDigits() throws IOException {
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try (ServerSocket other = new ServerSocket(0)) {
      String port = String.valueOf(other.getLocalPort());
      harness.environment.put("LASTCALL_PROBE_PORT", port);
      assertRefusedAtInstall(
          "probe-port="
              + port
              + " (environment LASTCALL_PROBE_PORT): Address already in use; allowed: a port that"
              + " is free");
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void probePort_any_isNamedInTheLog() throws IOException {
    harness.environment.put("LASTCALL_PROBE_PORT", "0");
    GracefulShutdown shutdown = harness.install();
    String line = "Probes are answered on port ";
    log.assertLogged(line);
    String port = log.text().split(line, -1)[1].lines().findFirst().orElseThrow();
    assertEquals(200, RawClient.status(Integer.parseInt(port), "GET /livez"));
    shutdown.uninstall();
    assertFalse(log.text().contains("failed"), log.text());
  }
}
