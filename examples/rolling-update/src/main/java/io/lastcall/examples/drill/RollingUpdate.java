package io.lastcall.examples.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The drill's main program. Exit status: 0 if Lastcall lost nothing and needed no SIGKILL, 1 if it
 * did, 2 if the drill could not be run.
 */
final class RollingUpdate {
  private static final int LOST = 1;
  private static final int NOT_RUN = 2;

  private RollingUpdate() {}

  public static void main(String[] arguments) throws InterruptedException {
    PrintStream out = System.out;
    if (Arrays.asList(arguments).contains("--help")) {
      out.print("java -jar rolling-update.jar [--key=value ...]\n\n" + Option.help());
      return;
    }
    try {
      DrillSettings settings = CommandLine.parse(arguments);
      DrillResult result = Drill.run(settings, out);
      out.print(ResultTable.of(result));
      Path page = settings.output().toAbsolutePath();
      Files.createDirectories(page.getParent());
      Files.writeString(page, HtmlPage.of(result), StandardCharsets.UTF_8);
      out.println("The picture is in " + settings.output());
      if (!result.passed()) {
        System.exit(LOST);
      }
    } catch (IllegalArgumentException | IllegalStateException | IOException e) {
      System.err.println("The drill could not be run: " + e.getMessage());
      System.exit(NOT_RUN);
    }
  }
}
