package io.lastcall.benchmarks;

import io.lastcall.inflight.RefusalRace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the jcstress tests: all of them must pass, except the negative control, which must fail. A
 * control that passes means that this machine, or this load, shows nothing.
 */
public final class Stress {
  private static final String CONTROL = "NegativeControl";
  private static final List<String> SHORT =
      List.of("-m", "quick", "-sc", "false", "-af", "NONE", "-time", "50", "-iters", "3");

  private Stress() {}

  /**
   * Runs it and exits with 0 if all went as it must.
   *
   * @param arguments options of jcstress; none: short
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> options = arguments.length > 0 ? Arrays.asList(arguments) : SHORT;
    boolean passed = run("^(?!.*" + CONTROL + ").*", options);
    boolean shown = !run(CONTROL, options);
    long missed = RefusalRace.missed();
    System.out.println("Tests: " + (passed ? "passed" : "FAILED"));
    System.out.println("Negative control: " + (shown ? "failed, as it must" : "NOT SHOWN"));
    System.out.println("Drains nobody woke: " + missed);
    System.exit(passed && shown && missed == 0 ? 0 : 1);
  }

  private static boolean run(String tests, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(
        List.of("-cp", new File(System.getProperty("java.class.path")).getAbsolutePath()));
    command.addAll(List.of("org.openjdk.jcstress.Main", "-t", tests));
    command.addAll(options);
    // jcstress leaves its results where it runs.
    Path directory = Files.createTempDirectory("lastcall-jcstress");
    Process process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    return process.waitFor() == 0;
  }
}
