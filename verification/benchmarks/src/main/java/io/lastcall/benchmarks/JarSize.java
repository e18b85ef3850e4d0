package io.lastcall.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** How big the core jar is, and which packages make it so. */
final class JarSize {
  private record Part(long bytes, int classes) {
    Part plus(Part other) {
      return new Part(bytes + other.bytes, classes + other.classes);
    }
  }

  private JarSize() {}

  /** Run from the repository's root, behind a build. */
  static void print() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("core", "target"))) {
      List<Path> jars =
          files
              .filter(path -> path.toString().matches(".*lastcall-core-[^-]*(-SNAPSHOT)?\\.jar"))
              .toList();
      for (Path jar : jars) {
        print(jar);
      }
    }
  }

  private static void print(Path jar) throws IOException {
    Map<String, Part> parts = new TreeMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .filter(entry -> entry.getName().endsWith(".class"))
          .forEach(entry -> parts.merge(folder(entry), part(entry), Part::plus));
    }
    System.out.printf("%s: %.1f KB, compressed:%n", jar.getFileName(), Files.size(jar) / 1024.0);
    parts.entrySet().stream()
        .sorted(Comparator.comparing(part -> -part.getValue().bytes()))
        .forEach(
            part ->
                System.out.printf(
                    "%7.1f KB in %3d classes: %s%n",
                    part.getValue().bytes() / 1024.0, part.getValue().classes(), part.getKey()));
  }

  private static String folder(ZipEntry entry) {
    int slash = entry.getName().lastIndexOf('/');
    return slash < 0 ? "" : entry.getName().substring(0, slash).replace('/', '.');
  }

  private static Part part(ZipEntry entry) {
    return new Part(entry.getCompressedSize(), 1);
  }
}
