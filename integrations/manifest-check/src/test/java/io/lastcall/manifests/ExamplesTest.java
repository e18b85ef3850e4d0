package io.lastcall.manifests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
  }

  /** Each file by itself, as {@code check examples/kubernetes/**}: patches are named as such. */
  @Test
  void findings_ofAllFiles_areThePatches() throws IOException {
    ManifestReader reader = new ManifestReader();
    for (Path folder : List.of(EXAMPLES, WEBHOOK)) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.map(Path::toString)
            .filter(file -> file.endsWith(".yaml"))
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
}
