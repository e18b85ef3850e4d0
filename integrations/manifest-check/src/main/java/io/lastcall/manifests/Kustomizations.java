package io.lastcall.manifests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells patches from manifests by the kustomizations that name them. */
final class Kustomizations {
  private static final List<String> NAMES =
      List.of("kustomization.yaml", "kustomization.yml", "Kustomization");

  private static final Path HERE = Path.of("").toAbsolutePath();

  /** How many folders up: overlays/prod/patches/memory.yaml. */
  private static final int NEAR = 3;

  private Kustomizations() {}

  static boolean isOne(Path file) {
    Path name = file.getFileName();
    return name != null && NAMES.contains(name.toString());
  }

  /** Returns the kustomization that has the file for a patch. */
  static Optional<Path> patchedBy(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    for (int up = 0; up < NEAR && folder != null; up++) {
      for (String name : NAMES) {
        Path kustomization = folder.resolve(name);
        if (Files.isRegularFile(kustomization) && names(kustomization, file.toAbsolutePath())) {
          return Optional.of(file.isAbsolute() ? kustomization : HERE.relativize(kustomization));
        }
      }
      folder = folder.getParent();
    }
    return Optional.empty();
  }

  private static boolean names(Path kustomization, Path file) throws IOException {
    Path folder = kustomization.getParent();
    List<Yaml> documents = new ArrayList<>();
    YamlTree.read("", 0, Files.readString(kustomization), documents::add, problem -> {});
    return folder != null
        && documents.stream()
            .flatMap(Kustomizations::patches)
            .anyMatch(path -> folder.resolve(path).normalize().equals(file.normalize()));
  }

  private static Stream<String> patches(Yaml kustomization) {
    Stream<String> paths =
        Stream.of("patches", "patchesJson6902", "replacements", "transformers")
            .flatMap(list -> kustomization.get(list).items().stream())
            .map(patch -> patch.get("path").text(""));
    // Inline patches of this list are YAML, and no path.
    Stream<String> merges =
        kustomization.get("patchesStrategicMerge").texts().stream()
            .filter(path -> !path.contains("\n"));
    return Stream.concat(paths, merges).filter(path -> !path.isEmpty());
  }
}
