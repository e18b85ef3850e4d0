package io.lastcall.manifests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The command, from its arguments to its exit status. */
class ManifestCheckTest {
  private static final String BROKEN = Cases.SOUND.replace("path: /livez", "path: /readyz");

  @TempDir private Path folder = Path.of("unset");
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int run(String... arguments) {
    return runWith("", arguments);
  }

  private int runWith(String input, String... arguments) {
    return ManifestCheck.run(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        arguments);
  }

  private List<String> lines(ByteArrayOutputStream of) {
    return of.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void run_nothingIsWrong_printsNothingAndReturns0() throws Exception {
    assertEquals(0, run(file("web.yaml", Cases.SOUND)));
    assertEquals(List.of(), lines(out));
    assertEquals(List.of(), lines(err));
  }

  @Test
  void run_finding_isFileLineSeverityIdMessage() throws Exception {
    String file = file("web.yaml", BROKEN);
    assertEquals(1, run(file));
    assertEquals(
        List.of(
            file
                + ":25: error liveness-kills-drain: /readyz fails 15s after the trigger, so that"
                + " the container is killed after 30s more (10 x 3s), and when it is only not"
                + " ready; ask for /livez"),
        lines(out));
  }

  @Test
  void run_standardInput_isRead() {
    assertEquals(1, runWith(BROKEN, "-"));
    assertTrue(lines(out).get(0).startsWith("-:25: error liveness-kills-drain: "));
  }

  @Test
  void run_listAndJson_areRead() throws Exception {
    String list =
        "apiVersion: v1\nkind: List\nitems:\n- "
            + BROKEN.substring(0, BROKEN.indexOf("---")).strip().replace("\n", "\n  ")
            + "\n";
    assertEquals(1, run(file("list.yaml", list)));
    assertTrue(lines(out).stream().anyMatch(line -> line.contains(":28: error liveness-kills")));
    String json =
        """
        {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "x"}]}}\
        """;
    assertEquals(1, run(file("pod.json", json)));
    assertTrue(lines(out).stream().anyMatch(line -> line.contains("readiness-absent")));
  }

  @ParameterizedTest
  @CsvSource({
    "'a: [1', ':1: unreadable: no YAML: '",
    "'a: b: c', ':1: unreadable: no YAML: '",
    "'{{ if .Values.x }}\na: 1', ':1: unreadable: '",
    "'replicas: 3', ':1: unreadable: no manifest: it has no apiVersion or no kind'",
    "'- a', ':1: unreadable: no manifest: it has no apiVersion or no kind'",
    "'hello', ':1: unreadable: no manifest: it has no apiVersion or no kind'",
    "'apiVersion: v1\nkind: List\nitems: [3]', ':3: unreadable: no manifest: '"
  })
  void run_fileIsNoManifest_saysWhereAndChecksTheOthers(String text, String problem)
      throws Exception {
    String bad = file("bad.yaml", text);
    assertEquals(2, run(bad, file("web.yaml", BROKEN)));
    assertTrue(lines(err).get(0).startsWith(bad + problem), () -> lines(err).toString());
    assertTrue(lines(out).get(0).contains("liveness-kills-drain"), () -> lines(out).toString());
  }

  @Test
  void run_noSuchFile_isSaid() {
    String missing = folder.resolve("none.yaml").toString();
    assertEquals(2, run(missing));
    assertEquals(List.of(missing + ":1: unreadable: there is no such file"), lines(err));
  }

  @Test
  void run_commentsAndEmptyDocuments_areNothing() throws Exception {
    assertEquals(0, run(file("empty.yaml", "# nothing\n---\n---\n# Source: web/x.yaml\n---\n")));
    assertEquals(List.of(), lines(err));
  }

  @ParameterizedTest
  @CsvSource({"--sarf", "--settings", "--help"})
  void run_badUsage_printsIt(String argument) {
    assertEquals(2, run(argument));
    assertTrue(lines(err).get(1).startsWith("Usage: "), () -> lines(err).toString());
  }

  @Test
  void run_noArguments_printsTheUsage() {
    assertEquals(2, run());
    assertEquals("No file is named", lines(err).get(0));
  }

  @Test
  void run_settings_countAsTheServicesOwn() throws Exception {
    String file = file("web.yaml", Cases.SOUND);
    assertEquals(0, run(file, "--settings", "propagation-delay=20s"));
    assertEquals(1, run(file, "--settings", "propagation-delay=50s"));
    assertTrue(lines(out).get(0).contains("plan-does-not-fit"), () -> lines(out).toString());
    String properties = file("a.properties", "lastcall.propagation-delay=60s\nserver.port=1\n");
    assertEquals(1, run(file, "--settings", properties));
  }

  @Test
  void run_settingThatIsNone_isBadUsage() throws Exception {
    assertEquals(2, run(file("web.yaml", Cases.SOUND), "--settings", "grace=20s"));
    assertEquals(
        "--settings grace: there is no setting grace; the nearest known name is grace-period",
        lines(err).get(0));
  }

  @Test
  void run_sarif_isOneRunWithRulesAndPlaces() throws Exception {
    String file = file("web.yaml", BROKEN);
    String bad = file("bad.yaml", "a: [1");
    assertEquals(2, run(file, bad, "--sarif"));
    // JSON is YAML.
    Object sarif =
        new Load(LoadSettings.builder().build())
            .loadFromString(out.toString(StandardCharsets.UTF_8));
    assertEquals("2.1.0", at(sarif, "version"));
    Object result = at(sarif, "runs", 0, "results", 0);
    assertEquals("liveness-kills-drain", at(result, "ruleId"));
    assertEquals("error", at(result, "level"));
    List<?> rules = (List<?>) at(sarif, "runs", 0, "tool", "driver", "rules");
    assertEquals(Rule.values().length, rules.size());
    assertTrue(rules.stream().anyMatch(rule -> at(rule, "id").equals(at(result, "ruleId"))));
    Object place = at(result, "locations", 0, "physicalLocation");
    assertEquals(file, at(place, "artifactLocation", "uri"));
    assertEquals(25, at(place, "region", "startLine"));
    Object invocation = at(sarif, "runs", 0, "invocations", 0);
    assertEquals(false, at(invocation, "executionSuccessful"));
    Object notification = at(invocation, "toolExecutionNotifications", 0);
    assertEquals("error", at(notification, "level"));
  }

  private static Object at(Object value, Object... path) {
    for (Object key : path) {
      value = key instanceof Integer index ? ((List<?>) value).get(index) : member(value, key);
    }
    return value;
  }

  private static Object member(Object value, Object key) {
    return Objects.requireNonNull(((Map<?, ?>) value).get(key), key.toString());
  }
}
