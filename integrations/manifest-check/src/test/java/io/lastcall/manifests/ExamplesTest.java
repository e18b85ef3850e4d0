package io.lastcall.manifests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The manifests that a team copies have no finding, each variant included. */
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("../../examples/kubernetes");

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

  @ParameterizedTest
  @MethodSource("folders")
  void findings_ofAnExample_areNone(Path folder) throws IOException {
    assertEquals(List.of(), RulesTest.findings(Kustomization.build(folder).text()));
  }
}
