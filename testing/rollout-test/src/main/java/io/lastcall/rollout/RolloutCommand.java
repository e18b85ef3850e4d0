package io.lastcall.rollout;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rollout test as a command. Exit status: 0 if nothing was lost and everything asked for holds,
 * 1 if not, 2 if the rollout could not be run, 3 without a verdict.
 */
final class RolloutCommand {
  private static final int PASSED = 0;
  private static final int LOST = 1;
  private static final int NOT_RUN = 2;
  private static final int INCONCLUSIVE = 3;

  private RolloutCommand() {}

  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Returns the exit status. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    int end = Arrays.asList(arguments).indexOf("--");
    List<String> options = Arrays.asList(arguments).subList(0, end < 0 ? arguments.length : end);
    if (arguments.length == 0 || options.contains("--help")) {
      out.print(CommandOption.help());
      return arguments.length == 0 ? NOT_RUN : PASSED;
    }
    try {
      List<String> command =
          end < 0 ? List.of() : List.of(arguments).subList(end + 1, arguments.length);
      CommandOptions parsed = CommandOptions.parse(new ArrayList<>(options), command);
      RolloutResult result = parsed.rollout().progress(out::println).run();
      out.println(result.summary());
      parsed.check(result);
      return PASSED;
    } catch (InconclusiveException e) {
      return INCONCLUSIVE;
    } catch (AssertionError e) {
      // The summary stands above; what else was asked for is said by the first line.
      String.valueOf(e.getMessage())
          .lines()
          .filter(line -> line.startsWith("Expected "))
          .forEach(out::println);
      return LOST;
    } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
      err.println("The rollout could not be run: " + e.getMessage());
      return NOT_RUN;
    }
  }
}
