package io.lastcall.published;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The public API, as {@code javap} has it, is what the files of {@code api/} say. {@code
 * -Dapi.update=true} writes them; CONTRIBUTING.md has the whole command.
 */
class PublicApiTest {
  private static final Path LISTS = Path.of("api");
  private static final Pattern TYPE =
      Pattern.compile("((?:public|protected) .*(?:class|interface) (\\S+?)(?:<.*| .*)?) \\{");
  private static final Pattern MEMBER = Pattern.compile("  ((?:public|protected) .*;)");

  @Test
  void api_asBuilt_isAsListed() throws IOException {
    List<String> changes = new ArrayList<>();
    for (Map.Entry<String, Path> jar : Artifacts.ownJars().entrySet()) {
      if (jar.getKey().equals("lastcall-agent")) {
        continue; // the JVM calls it, and no application compiles against it
      }
      SortedSet<String> built = api(jar.getValue());
      Path list = LISTS.resolve(jar.getKey() + ".txt");
      if (Boolean.getBoolean("api.update") && !built.isEmpty()) {
        Files.createDirectories(LISTS);
        Files.write(list, built);
      }
      Set<String> listed = Files.exists(list) ? new TreeSet<>(Files.readAllLines(list)) : Set.of();
      difference(listed, built).forEach(line -> changes.add("- " + line));
      difference(built, listed).forEach(line -> changes.add("+ " + line));
    }
    assertTrue(
        changes.isEmpty(),
        "the public API has changed; if that is meant, see CONTRIBUTING.md:\n"
            + String.join("\n", changes));
  }

  private static List<String> difference(Set<String> from, Set<String> without) {
    return from.stream().filter(line -> !without.contains(line)).toList();
  }

  /** A line for each public type of an exported package, and for each member of one. */
  private static SortedSet<String> api(Path jar) throws IOException {
    ModuleDescriptor module = ModuleFinder.of(jar).findAll().iterator().next().descriptor();
    Set<String> exported =
        module.isAutomatic()
            ? module.packages()
            : module.exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    List<String> arguments = new ArrayList<>(List.of("-protected", "-cp", jar.toString()));
    try (JarFile file = new JarFile(jar.toFile())) {
      file.stream()
          .map(entry -> entry.getName().replace('/', '.'))
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
          .sorted()
          .forEach(arguments::add);
    }
    return arguments.size() == 3 ? new TreeSet<>() : lines(javap(arguments));
  }

  private static SortedSet<String> lines(String listing) {
    SortedSet<String> lines = new TreeSet<>();
    Set<String> types = new TreeSet<>();
    String type = null;
    for (String line : listing.lines().toList()) {
      var header = TYPE.matcher(line);
      var member = MEMBER.matcher(line);
      if (header.matches()) {
        type = header.group(2);
        String outer = type.contains("$") ? type.substring(0, type.lastIndexOf('$')) : type;
        // Outer types come first: the names were sorted.
        if (outer.equals(type) || types.contains(outer)) {
          types.add(type);
          lines.add(type + ": " + header.group(1).replaceAll("\\s+", " "));
        }
      } else if (line.endsWith("{")) {
        type = null;
      } else if (type != null && types.contains(type) && member.matches()) {
        lines.add(type + ": " + member.group(1));
      }
    }
    return lines;
  }

  private static String javap(List<String> arguments) {
    StringWriter out = new StringWriter();
    int status =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(new PrintWriter(out), new PrintWriter(out), arguments.toArray(String[]::new));
    assertEquals(0, status, out.toString());
    return out.toString();
  }
}
