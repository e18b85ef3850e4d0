package io.lastcall.forked;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** An application that is a module, and has nothing but core and what core cannot do without. */
@Timeout(120)
class ModulePathTest {
  private static final String MODULE = "module app { requires io.lastcall.core; }";
  private static final String MAIN =
      """
      package app;
      public final class Main {
        public static void main(String[] arguments) {
          io.lastcall.GracefulShutdown.builder().install().begin("done");
        }
      }
      """;

  @TempDir private Path folder;

  @Test
  void module_requiresCoreAlone_compilesAndShutsDown() throws Exception {
    String libraries =
        String.join(File.pathSeparator, origin(GracefulShutdown.class), origin(Logger.class));
    Path classes = folder.resolve("classes");
    compile(
        "-p",
        libraries,
        "-d",
        classes.toString(),
        write("module-info", MODULE),
        write("Main", MAIN));
    try (ForkedJvm jvm =
        ForkedJvm.startModule(libraries + File.pathSeparator + classes, "app/app.Main")) {
      jvm.assertExits(0);
    }
  }

  private static String origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name + ".java"), text).toString();
  }

  private static void compile(String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int code = ToolProvider.findFirst("javac").orElseThrow().run(out, out, arguments);
    assertEquals(0, code, said::toString);
  }
}
