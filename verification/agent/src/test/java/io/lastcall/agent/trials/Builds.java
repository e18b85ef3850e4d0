package io.lastcall.agent.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Builds services by Maven, each once, as their users do. */
final class Builds {
  private final Set<String> built = new HashSet<>();

  /**
   * Builds a module of {@code services} unless this has.
   *
   * @throws AssertionError with the end of Maven's output if that fails
   */
  void build(String module) {
    if (!built.add(module)) {
      return;
    }
    Path log = Path.of("target", "build-" + module + ".log").toAbsolutePath();
    try {
      Files.createDirectories(log.getParent());
      ProcessBuilder builder =
          new ProcessBuilder(
              System.getProperty("maven.program"),
              "-B",
              "-ntp",
              "-Dmaven.repo.local=" + System.getProperty("maven.repository"),
              "-pl",
              module,
              "package");
      builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1");
      Process maven =
          builder
              .directory(Path.of("services").toAbsolutePath().toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (maven.waitFor() != 0) {
        List<String> lines = Files.readAllLines(log);
        throw new AssertionError(
            module
                + " is not built: "
                + String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
