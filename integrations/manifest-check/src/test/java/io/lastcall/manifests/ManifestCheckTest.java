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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
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
        {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [
          {"name": "x", "env": [{"name": "LASTCALL_PROBE_PORT", "value": "9090"}]}]}}\
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
  void run_documentThatCannotBeRead_leavesTheOthersOfItsFile() throws Exception {
    String file = file("both.yaml", BROKEN + "---\na: [1\n---\n" + BROKEN);
    assertEquals(2, run(file));
    int line = (int) BROKEN.lines().count() + 3;
    assertEquals(file + ":" + line, lines(err).get(0).split(": ", -1)[0]);
    assertEquals(2, lines(out).stream().filter(each -> each.contains("liveness-kills")).count());
  }

  static Stream<String> notToBeFollowed() {
    String chain =
        IntStream.range(1, 30_000)
            .mapToObj(n -> "a%d: &a%d {<<: *a%d, k%d: 1}\n".formatted(n, n, n - 1, n))
            .collect(Collectors.joining());
    return Stream.of(
        "[".repeat(20_000) + "]".repeat(20_000),
        "{\"a\":".repeat(20_000) + "1" + "}".repeat(20_000),
        "- ".repeat(20_000) + "1",
        "apiVersion: v1\nkind: Pod\nspec: &s {<<: *s}\n",
        "apiVersion: v1\nkind: List\nitems: &i [*i]\n",
        "apiVersion: v1\nkind: Pod\nspec: *nothing\n",
        "apiVersion: v1\nkind: Pod\na0: &a0 {k0: 1}\n" + chain);
  }

  @ParameterizedTest
  @MethodSource("notToBeFollowed")
  void run_valuesWithoutEnd_areAProblemOfTheirFileAlone(String text) throws Exception {
    String bad = file("bad.yaml", text);
    assertEquals(2, run(bad, file("web.yaml", BROKEN)));
    assertTrue(lines(err).get(0).startsWith(bad + ":"), () -> lines(err).toString());
    assertTrue(lines(out).get(0).contains("liveness-kills-drain"), () -> lines(out).toString());
  }

  @Test
  void run_manyAliases_areNoBomb() throws Exception {
    String items =
        IntStream.range(0, 60)
            .mapToObj(n -> "- {apiVersion: v1, kind: Secret, metadata: {name: s, labels: *l}}\n")
            .collect(Collectors.joining());
    String list = "apiVersion: v1\nkind: List\nmetadata: {labels: &l {app: a}}\nitems:\n" + items;
    assertEquals(0, run(file("aliases.yaml", list)));
    // A list of nine aliases of a list of nine aliases, and so on: 9^20 items.
    String bomb =
        IntStream.range(1, 20)
            .mapToObj(n -> "a%d: &a%d [%s]\n".formatted(n, n, ("*a" + (n - 1) + ",").repeat(9)))
            .collect(Collectors.joining("", "a0: &a0 [x]\n", ""));
    String lists =
        bomb.replaceAll("\\[(.*)\\]", "{apiVersion: v1, kind: List, items: [$1]}")
            .replace("[x]", "[]");
    assertEquals(
        2, run(file("lists.yaml", "apiVersion: v1\nkind: List\n" + lists + "items: [*a19]\n")));
    assertEquals(0, run(file("bomb.yaml", "apiVersion: v1\nkind: ConfigMap\n" + bomb)));
    assertEquals(
        0, run(file("custom.yaml", "apiVersion: v1\nkind: X\nspec:\n  " + indented(bomb))));
  }

  private static String indented(String text) {
    return text.replace("\n", "\n  ").stripTrailing() + "\n";
  }

  @Test
  void run_keyThatIsSetTwice_isAProblemWithItsLine() throws Exception {
    String grace = "terminationGracePeriodSeconds: 45\n";
    String file =
        file("web.yaml", Cases.SOUND.replace(grace, grace + "      " + grace.replace("45", "90")));
    assertEquals(2, run(file));
    assertEquals(
        List.of(
            file
                + ":15: unreadable: terminationGracePeriodSeconds is set twice: kubectl refuses it,"
                + " or takes the last"),
        lines(err));
    assertTrue(lines(out).get(0).contains("grace-period-differs"), () -> lines(out).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
  void run_byteOrderMark_isUnderstood(String charset) throws Exception {
    Path file = folder.resolve("powershell.yaml");
    Files.write(file, ("\ufeff" + BROKEN.replace("\n", "\r\n")).getBytes(charset));
    assertEquals(1, run(file.toString()));
    assertTrue(lines(out).get(0).contains(":25: error liveness-kills-drain"));
  }

  @Test
  void run_patch_isNamedAndNotChecked() throws Exception {
    Files.createDirectories(folder.resolve("prod/patches"));
    String kustomization =
        file(
            "prod/kustomization.yaml", "resources: [../base]\npatches: [{path: patches/web.yaml}]");
    String patch = file("prod/patches/web.yaml", BROKEN);
    assertEquals(0, run(patch, kustomization));
    assertEquals(
        List.of(
            patch
                + ":1: note patch-unchecked: a patch of "
                + kustomization
                + ": check the output of kustomize build"),
        lines(out));
    assertEquals(1, run(file("prod/web.yaml", BROKEN)));
  }

  @Test
  void run_notesAlone_areNoFailure() throws Exception {
    String policy = "        terminationMessagePolicy: FallbackToLogsOnError\n";
    assertEquals(0, run(file("web.yaml", Cases.SOUND.replace(policy, ""))));
    assertTrue(lines(out).get(0).contains(": note termination-message-policy: "));
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
  void run_settingsForAWorkloadThatShowsNone_areItsOwn() throws Exception {
    String file = file("web.yaml", Cases.SOUND.replace("LASTCALL_", "OTHER_"));
    assertEquals(0, run(file));
    assertTrue(lines(out).get(0).contains(": note library-unseen: "));
    assertEquals(1, run(file, "--settings", "grace-period=60s"));
    assertTrue(lines(out).get(1).contains("grace-period-differs"), () -> lines(out).toString());
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
