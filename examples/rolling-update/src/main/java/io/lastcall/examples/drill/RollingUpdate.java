package io.lastcall.examples.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The drill's main program. Exit status: 0 if Lastcall lost nothing and every exit was clean, 1 if
 * not, 2 if the drill could not be run.
 */
final class RollingUpdate {
  private static final int PASSED = 0;
  private static final int LOST = 1;
  private static final int NOT_RUN = 2;

  private RollingUpdate() {}

  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Returns the exit status. */
  static int run(PrintStream out, PrintStream err, String... arguments)
      throws InterruptedException {
    if (Arrays.asList(arguments).contains("--help")) {
      out.print("java -jar rolling-update.jar [--key=value ...]\n\n" + Option.help());
      return PASSED;
    }
    try {
      DrillSettings settings = CommandLine.parse(arguments);
      DrillResult result = Drill.run(settings, out);
      out.print(ResultTable.of(result));
      Path page = settings.output().toAbsolutePath();
      Files.createDirectories(page.getParent());
      Files.writeString(page, HtmlPage.of(result), StandardCharsets.UTF_8);
      out.println("The picture is in " + settings.output());
      return result.passed() ? PASSED : LOST;
    } catch (IllegalArgumentException | IllegalStateException | IOException e) {
      err.println("The drill could not be run: " + e.getMessage());
      return NOT_RUN;
    }
  }
}
