package io.lastcall.manifests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The manifests that a team copies have no finding, each variant included. */
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("../../examples/kubernetes");
  private static final Path WEBHOOK = Path.of("../admission-webhook/manifests");

  static Stream<Path> folders() throws IOException {
    try (Stream<Path> all = Files.walk(EXAMPLES)) {
      return all
          .filter(file -> file.endsWith("kustomization.yaml"))
          .map(Path::getParent)
          .sorted()
          .toList()
          .stream();
    }
  }

  @Test
  void folders_areFound() throws IOException {
    assertTrue(folders().anyMatch(folder -> folder.endsWith("tomcat")));
    assertTrue(folders().anyMatch(folder -> folder.endsWith("overlays/native-sidecar")));
    assertTrue(folders().anyMatch(folder -> folder.endsWith("overlays/agent")));
  }

  /** Each file by itself, as {@code check examples/kubernetes/**}: patches are named as such. */
  @Test
  void findings_ofAllFiles_areThePatches() throws IOException {
    ManifestReader reader = new ManifestReader();
    for (Path folder : List.of(EXAMPLES, WEBHOOK)) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.map(Path::toString)
            .filter(file -> file.endsWith(".yaml"))
            .filter(file -> !file.contains("prometheus-")) // rules of Prometheus, no manifests
            .forEach(file -> reader.read(file, InputStream.nullInputStream()));
      }
    }
    assertEquals(List.of(), reader.problems);
    assertEquals(List.of(), ManifestCheck.findings(reader.objects, new Plans(Map.of())));
    assertTrue(
        reader.notes.stream()
            .allMatch(note -> note.file().endsWith("patch.yaml") && note.line() == 1));
    assertTrue(reader.notes.size() > 5);
  }

  @ParameterizedTest
  @MethodSource("folders")
  void findings_ofAnExample_areNone(Path folder) throws IOException {
    assertEquals(List.of(), RulesTest.findings(Kustomization.build(folder).text()));
  }

  /** The component is for any Deployment: those of other teams, without a variable or with some. */
  @Test
  void agentComponent_onAnyWorkload_isTheLibraryOfItsFirstContainer(@TempDir Path folder)
      throws IOException {
    Files.writeString(
        folder.resolve("kustomization.yaml"),
        "resources: [a.yaml]\ncomponents: [%s]\n"
            .formatted(EXAMPLES.resolve("components/agent").toAbsolutePath()));
    for (String kind : List.of("Deployment", "StatefulSet", "DaemonSet")) {
      for (String variables : List.of("", "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx1g}]")) {
        Files.writeString(
            folder.resolve("a.yaml"),
            """
            apiVersion: apps/v1
            kind: %s
            metadata: {name: a}
            spec:
              template:
                spec:
                  containers:
                  - {name: a, image: a}
                  - {name: b, image: b}
            """
                .formatted(kind)
                .replace("{name: a, image: a}", "name: a\n        " + variables));
        String built = Kustomization.build(folder).text();
        assertEquals(1, built.split("-javaagent:/lastcall/lastcall-agent.jar", -1).length - 1);
        assertEquals(!variables.isEmpty(), built.matches("(?s).*agent\\.jar\\s+-Xmx1g.*"), built);
        assertTrue(
            RulesTest.findings(built).stream()
                .noneMatch(finding -> finding.rule() == Rule.LIBRARY_UNSEEN),
            built);
      }
    }
  }

  /** The test's own kustomize is right: kubectl's makes the same of each folder. */
  @ParameterizedTest
  @Tag("all")
  @MethodSource("folders")
  void build_ofAnExample_isWhatKubectlMakes(Path folder) throws Exception {
    Path output = Files.createTempFile("kustomize", ".yaml");
    try {
      Process kubectl =
          new ProcessBuilder("kubectl", "kustomize", folder.toString())
              .redirectOutput(output.toFile())
              .start();
      assertEquals(0, kubectl.waitFor(), () -> folder + " is not built");
      assertEquals(
          Kustomization.build(folder).objects().stream()
              .map(ExamplesTest::comparable)
              .collect(Collectors.toSet()),
          Kustomization.documents(Files.readString(output)).stream()
              .map(ExamplesTest::comparable)
              .collect(Collectors.toSet()));
    } catch (IOException e) {
      assumeTrue(false, "kubectl is not installed: " + e.getMessage());
    } finally {
      Files.delete(output);
    }
  }

  /** The order of what has names means nothing here. */
  private static Object comparable(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, member -> comparable(member.getValue())));
    }
    if (value instanceof List<?> items) {
      List<Object> all = items.stream().map(ExamplesTest::comparable).collect(Collectors.toList());
      boolean isNamed = items.stream().allMatch(item -> item instanceof Map<?, ?>);
      return isNamed ? Set.copyOf(all) : all;
    }
    return value;
  }
}
