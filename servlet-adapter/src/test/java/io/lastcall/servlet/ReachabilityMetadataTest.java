package io.lastcall.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What native-image is told of must exist, and all that is reached by name must be told of. */
class ReachabilityMetadataTest {
  private static final String FILE =
      "/META-INF/native-image/io.lastcall/lastcall-servlet/reachability-metadata.json";
  private static final Pattern ENTRY =
      Pattern.compile(
          "\"typeReached\": \"([^\"]+)\" },\\s+\"type\": (?:\\{ \"proxy\": \\[)?\"([^\"]+)\"([^}]*)");
  private static final Pattern METHOD =
      Pattern.compile("\"name\": \"([^\"]+)\", \"parameterTypes\": \\[]");

  /** What Jetty 12.1 and 12.0 have, each but some; their absence is no mistake. */
  private static final Set<String> OPTIONAL =
      Set.of(
          "org.eclipse.jetty.server.NetworkConnectionLimit",
          "org.eclipse.jetty.server.ConnectionLimit");

  @Test
  void metadata_everyTypeAndMethod_exists() throws Exception {
    int methods = 0;
    List<MatchResult> entries = entries();
    for (MatchResult entry : entries) {
      assertNotNull(Class.forName(entry.group(1), false, loader()), entry.group());
      if (isAbsent(entry.group(2))) {
        continue;
      }
      Class<?> type = Class.forName(entry.group(2), false, loader());
      for (MatchResult method : METHOD.matcher(entry.group(3)).results().toList()) {
        methods++;
        assertNotNull(
            method.group(1).equals("<init>")
                ? type.getConstructor()
                : type.getMethod(method.group(1)));
      }
    }
    assertEquals(9, entries.size(), entries::toString);
    assertEquals(3, methods);
    assertTrue(text().contains("\"glob\": \"META-INF/lastcall/*.problem\""));
    assertEquals("META-INF/lastcall/Tomcat.problem", ContainerInternals.resource("Tomcat"));
  }

  private static boolean isAbsent(String type) {
    return OPTIONAL.contains(type)
        && loader().getResource(type.replace('.', '/') + ".class") == null;
  }

  /** Those that reach something by name, and what is named on their behalf. */
  @Test
  void main_everyClassThatReachesByName_isACondition() throws Exception {
    Path root =
        Path.of(
            ContainerInternals.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String code = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (Stream.of(
                "forName", "isThere", "unreflect", "findVirtual", "newProxyInstance", "setProperty")
            .anyMatch(code::contains)) {
          String name = root.relativize(file).toString().replace('/', '.');
          found.add(name.replaceFirst("(\\$.*)?\\.class", ""));
        }
      }
    }
    Set<String> conditions =
        entries().stream()
            .map(entry -> entry.group(1))
            .filter(name -> name.startsWith("io.lastcall."))
            .collect(Collectors.toCollection(TreeSet::new));
    conditions.add(ContainerInternals.class.getName()); // which is not asked in a native image
    conditions.add("io.lastcall.servlet.tomcat.TomcatServer"); // by the connector, as Tomcat does
    assertEquals(conditions, found);
  }

  /** Tomcat sets by name what a connector is configured with, and takes every setter there is. */
  @Test
  void metadata_propertiesThatTomcatSetsByName_areNamed() throws Exception {
    List<String> all =
        entries().stream()
            .filter(entry -> entry.group(3).contains("\"allPublicMethods\": true"))
            .map(entry -> entry.group(2))
            .toList();
    assertTrue(all.contains("io.lastcall.servlet.tomcat.LastcallProtocol"), all::toString);
    assertTrue(all.contains("io.lastcall.servlet.tomcat.DrainingEndpoint"), all::toString);
  }

  @Test
  void problemAtBuild_handleNotFound_namesTheMetadata() {
    assertEquals(
        Optional.of("Test: the image has no reachability metadata of lastcall-servlet"),
        ContainerInternals.problemAtBuild("Test", null));
  }

  private static List<MatchResult> entries() throws Exception {
    return ENTRY.matcher(text()).results().toList();
  }

  private static ClassLoader loader() {
    return ReachabilityMetadataTest.class.getClassLoader();
  }

  private static String text() throws Exception {
    try (InputStream file = ReachabilityMetadataTest.class.getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
