package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import jakarta.annotation.Resource;
import jakarta.servlet.Servlet;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** The adapter and Jetty as modules, in a JVM of their own. */
@Timeout(120)
class JettyModulePathTest {
  private static final String EXPORT =
      "org.eclipse.jetty.server/org.eclipse.jetty.server.internal=io.lastcall.servlet";

  private final Path folder;

  JettyModulePathTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void start_internalsNotExported_isRefusedWithTheOption() throws Exception {
    String said = run();
    assertTrue(said.contains("allowed: java --add-exports " + EXPORT), said);
  }

  @Test
  void start_internalsExported_starts() throws Exception {
    String said = run("--add-exports", EXPORT);
    assertTrue(said.contains("started"), said);
  }

  private String run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-p", modules(), "--add-modules", "ALL-MODULE-PATH"));
    command.addAll(List.of("-cp", origin(JettyModulePathTest.class)));
    command.add("io.lastcall.servlet.orders.JettyMain");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private String modules() throws Exception {
    List<String> modules = new ArrayList<>(List.of(adapter()));
    for (Class<?> type :
        List.of(
            GracefulShutdown.class,
            Logger.class,
            Servlet.class,
            Resource.class, // Tomcat's module needs it, if it is Tomcat that has Servlet
            Server.class,
            HttpField.class,
            EndPoint.class,
            Callback.class)) {
      modules.add(origin(type));
    }
    return modules.stream().distinct().collect(Collectors.joining(File.pathSeparator));
  }

  /** As it is packaged: what the module path takes for a module is a jar. */
  private String adapter() throws Exception {
    Path classes = Path.of(origin(LastcallConnector.class));
    if (!Files.isDirectory(classes)) {
      return classes.toString();
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", "io.lastcall.servlet");
    Path jar = folder.resolve("adapter.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        Stream<Path> found = Files.walk(classes)) {
      for (Path file : found.filter(Files::isRegularFile).toList()) {
        add(out, classes.relativize(file).toString(), file);
      }
    }
    return jar.toString();
  }

  private static void add(JarOutputStream out, String name, Path file) throws IOException {
    if (!name.equals("META-INF/MANIFEST.MF")) {
      out.putNextEntry(new JarEntry(name));
      Files.copy(file, out);
    }
  }

  private static String origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
