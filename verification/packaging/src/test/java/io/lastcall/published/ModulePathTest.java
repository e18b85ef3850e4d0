package io.lastcall.published;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The jars on the module path. Their names are what a user's {@code requires} says. */
class ModulePathTest {
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("lastcall-core", "io.lastcall.core"),
          Map.entry("lastcall-test", "io.lastcall.test"),
          Map.entry("lastcall-rollout-test", "io.lastcall.rollout"),
          Map.entry("lastcall-micrometer", "io.lastcall.micrometer"),
          Map.entry("lastcall-probe-server", "io.lastcall.probe.server"),
          Map.entry("lastcall-kubernetes", "io.lastcall.kubernetes"),
          Map.entry("lastcall-manifests", "io.lastcall.manifests"),
          Map.entry("lastcall-servlet", "io.lastcall.servlet"),
          Map.entry("lastcall-netty", "io.lastcall.netty"),
          Map.entry("lastcall-grpc", "io.lastcall.grpc"),
          Map.entry("lastcall-agent", "io.lastcall.agent"),
          Map.entry("lastcall-spring-boot", "io.lastcall.spring"),
          Map.entry("lastcall-spring-boot-3", "io.lastcall.spring.boot3"),
          Map.entry("lastcall-spring-boot-starter", "io.lastcall.spring.starter"),
          Map.entry("lastcall-spring-boot-3-starter", "io.lastcall.spring.boot3.starter"));

  private static final Pattern USE = Pattern.compile("-> (io\\.lastcall[a-z0-9.]*) ");

  /** Without a name in the jar it would follow from the file's, which a user may change. */
  @Test
  void jars_renamed_keepTheirModuleNames() {
    SortedMap<String, String> names = new TreeMap<>();
    Artifacts.ownJars().forEach((artifact, jar) -> names.put(artifact, statedName(jar)));
    assertEquals(new TreeMap<>(NAMES), names);
  }

  /** No package is in two of them: resolution refuses that. */
  @Test
  void jars_togetherOnTheModulePath_resolve() {
    Collection<Path> jars = Artifacts.jars().values();
    Configuration resolved =
        ModuleLayer.boot()
            .configuration()
            .resolve(ModuleFinder.of(jars.toArray(Path[]::new)), ModuleFinder.of(), NAMES.values());
    assertTrue(resolved.findModule("org.slf4j").isPresent());
    assertEquals(jars.size(), resolved.modules().size());
  }

  /** What core does not export is closed to the others, though they compile on the class path. */
  @Test
  void adapters_packagesOfCoreThatTheyUse_areExported() {
    SortedMap<String, Path> jars = Artifacts.ownJars();
    Path core = jars.remove("lastcall-core");
    // A command for the class path.
    jars.remove("lastcall-manifests");
    // In a class loader of its own, with core beside it.
    jars.remove("lastcall-agent");
    // A module of its own, for which the compiler has refused that.
    jars.remove("lastcall-test");
    // It uses nothing of core: ArchitectureTest.
    jars.remove("lastcall-rollout-test");
    ModuleDescriptor module = module(core).descriptor();
    Set<String> closed =
        module.packages().stream()
            .filter(name -> module.exports().stream().noneMatch(e -> e.source().equals(name)))
            .collect(Collectors.toSet());
    List<String> wrong = new ArrayList<>();
    int uses = 0;
    for (Map.Entry<String, Path> jar : jars.entrySet()) {
      Matcher use = USE.matcher(packageDependencies(core, jar.getValue()));
      while (use.find()) {
        uses++;
        if (closed.contains(use.group(1))) {
          wrong.add(jar.getKey() + ": " + use.group(1));
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(uses > jars.size(), uses + " uses were found");
  }

  private static String packageDependencies(Path core, Path jar) {
    StringWriter out = new StringWriter();
    ToolProvider.findFirst("jdeps")
        .orElseThrow()
        .run(
            new PrintWriter(out),
            new PrintWriter(out),
            "--multi-release=base",
            "-verbose:package",
            "-cp",
            core.toString(),
            jar.toString());
    return out.toString();
  }

  private static String statedName(Path jar) {
    ModuleReference module = module(jar);
    String name = module.descriptor().name();
    try (JarFile file = new JarFile(jar.toFile())) {
      return module.descriptor().isAutomatic()
          ? String.valueOf(file.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
          : name;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ModuleReference module(Path jar) {
    return ModuleFinder.of(jar).findAll().iterator().next();
  }
}
