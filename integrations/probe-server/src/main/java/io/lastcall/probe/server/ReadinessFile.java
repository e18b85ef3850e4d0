package io.lastcall.probe.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file, for {@code exec} probes. */
final class ReadinessFile implements ReadinessSign {
  private final Path path;

  /** Whether it is ours to remove. */
  private boolean exists;

  /**
   * Removes what a crash has left: an empty file.
   *
   * @throws IllegalArgumentException if there can be no such file, or something else is there
   */
  ReadinessFile(Path path) {
    this.path = path;
    Path folder = path.resolveSibling("");
    if (!Files.isDirectory(folder)) {
      throw cannotBe("there is no folder " + folder, null);
    }
    try {
      if (Files.exists(path) && !(Files.isRegularFile(path) && Files.size(path) == 0)) {
        throw new IllegalArgumentException(
            "something is there that is no empty file; allowed: a path of its own");
      }
      Files.deleteIfExists(path);
      // Beside it: a probe may look already, and nobody is ready yet.
      Files.delete(Files.createTempFile(folder, "lastcall", null));
    } catch (IOException e) {
      throw cannotBe(e.toString(), e);
    }
  }

  private static IllegalArgumentException cannotBe(String why, @Nullable IOException cause) {
    return new IllegalArgumentException(
        why + "; allowed: a file that can be made and removed", cause);
  }

  /** Looks each time: what cleans up temporary files removes it from a service that is ready. */
  @Override
  public void show() throws IOException {
    if (!exists || !Files.exists(path)) {
      Files.createFile(path);
      exists = true;
    }
  }

  @Override
  public void hide() throws IOException {
    if (exists) {
      Files.deleteIfExists(path);
      exists = false;
    }
  }

  @Override
  public String toString() {
    return "readiness-file=" + path;
  }
}
