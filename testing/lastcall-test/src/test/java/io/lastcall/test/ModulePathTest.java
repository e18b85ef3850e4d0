package io.lastcall.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** A test that is a module, on the module path, and uses no test framework. */
@Timeout(120)
class ModulePathTest {
  private static final String MODULE = "module app { requires io.lastcall.test; }";
  private static final String MAIN =
      """
      package app;
      public final class Main {
        public static void main(String[] arguments) {
          try (var test = io.lastcall.test.TestShutdown.install(builder -> {})) {
            test.signal("TERM");
            System.out.println(test.finish().outcome());
          }
        }
      }
      """;

  @Test
  void module_requiresTest_compilesAndRuns(@TempDir Path folder) throws Exception {
    String libraries =
        String.join(
            File.pathSeparator,
            origin(TestShutdown.class),
            origin(GracefulShutdown.class),
            origin(Logger.class));
    Path classes = folder.resolve("classes");
    String module = write(folder.resolve("module-info.java"), MODULE);
    compile(
        "-p",
        libraries,
        "-d",
        classes.toString(),
        module,
        write(folder.resolve("Main.java"), MAIN));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-p",
                libraries + File.pathSeparator + classes,
                "-m",
                "app/app.Main")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertEquals("CLEAN", output.strip().lines().reduce("", (first, second) -> second), output);
  }

  private static String origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private static String write(Path file, String text) throws IOException {
    return Files.writeString(file, text).toString();
  }

  private static void compile(String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int code = ToolProvider.findFirst("javac").orElseThrow().run(out, out, arguments);
    assertEquals(0, code, said::toString);
  }
}
