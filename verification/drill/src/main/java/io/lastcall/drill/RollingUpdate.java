package io.lastcall.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The drill's main program. Exit status: 0 if Lastcall lost nothing and every exit was clean, 1 if
 * not, 2 if the drill could not be run, or not to its end: then what has run is shown all the same.
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
      out.print("java -jar drill.jar [--key=value ...]\n\n" + Option.help());
      return PASSED;
    }
    List<RunResult> runs = new ArrayList<>();
    try {
      DrillSettings settings = CommandLine.parse(arguments);
      boolean whole = runAll(settings, out, err, runs);
      DrillResult result = new DrillResult(settings, runs);
      if (!runs.isEmpty()) {
        show(result, out);
      }
      if (!result.passed()) {
        return LOST;
      }
      return whole ? PASSED : NOT_RUN;
    } catch (IllegalArgumentException | IOException e) {
      err.println("The drill could not be run: " + e.getMessage());
      return NOT_RUN;
    }
  }

  /** Returns whether nothing kept the drill from running to its end. */
  private static boolean runAll(
      DrillSettings settings, PrintStream out, PrintStream err, List<RunResult> runs)
      throws InterruptedException {
    try {
      Drill.run(settings, out, runs::add);
      return true;
    } catch (IllegalStateException | IOException e) {
      err.printf("The drill could not be run to its end: %s%n", e.getMessage());
      return false;
    }
  }

  private static void show(DrillResult result, PrintStream out) throws IOException {
    out.print(ResultTable.of(result));
    Path output = result.settings().output();
    Path page = output.toAbsolutePath();
    Files.createDirectories(page.getParent());
    Files.writeString(page, HtmlPage.of(result), StandardCharsets.UTF_8);
    out.printf("The picture, and more figures of each run: %s%n%n", output);
    out.print(ResultTable.verdict(result));
  }
}
