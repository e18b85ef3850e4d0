package io.lastcall.published;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The artifacts that are published, by the POMs, and as the build has packaged them. */
final class Artifacts {
  static final Path ROOT = Path.of("../..");

  private static final Pattern JAR = Pattern.compile("(lastcall-.*?|slf4j-api)-\\d+\\..*\\.jar");

  private Artifacts() {}

  /** The jars on the class path, by artifact. */
  static SortedMap<String, Path> jars() {
    SortedMap<String, Path> jars = new TreeMap<>();
    for (String element : classPath()) {
      Path file = Path.of(element);
      Matcher name = JAR.matcher(file.getFileName().toString());
      if (name.matches()) {
        jars.put(name.group(1), file);
      }
    }
    return jars;
  }

  /** Those of them that are ours. */
  static SortedMap<String, Path> ownJars() {
    SortedMap<String, Path> jars = jars();
    jars.remove("slf4j-api");
    return jars;
  }

  /** The names of all modules that are deployed and have a jar. */
  static SortedSet<String> published() throws IOException {
    List<Pom> poms = poms();
    SortedSet<String> names = new TreeSet<>();
    for (Pom pom : poms) {
      if (pom.isOurs() && pom.packaging().equals("jar") && !skipsDeploy(pom, poms)) {
        names.add(pom.artifact());
      }
    }
    return names;
  }

  private static boolean skipsDeploy(Pom pom, List<Pom> poms) {
    return pom.skipsDeploy()
        || poms.stream()
            .anyMatch(
                parent -> parent.artifact().equals(pom.parent()) && skipsDeploy(parent, poms));
  }

  private static List<Pom> poms() throws IOException {
    List<Pom> poms = new ArrayList<>();
    try (Stream<Path> files = Files.find(ROOT, 4, (file, attributes) -> file.endsWith("pom.xml"))) {
      for (Path file : files.toList()) {
        poms.add(Pom.read(file));
      }
    }
    return poms;
  }

  private static List<String> classPath() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
  }
}
