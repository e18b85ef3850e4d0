package io.lastcall.benchmarks;

import io.lastcall.GracefulShutdown;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * What install() costs a cold JVM: in each of many, it is the first thing behind one line of log.
 * The logging library's own start is not ours, and other than slf4j-simple may take longer.
 */
public final class Install {
  private static final int RUNS = Integer.getInteger("runs", 15);

  private Install() {}

  /**
   * Runs it.
   *
   * @param arguments options for the JVMs that are measured
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<Double> wall = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      String[] figures = measured(arguments).trim().split(" ", 2);
      wall.add(Double.parseDouble(figures[0]) / 1e6);
      cpu.add(Double.parseDouble(figures[1]) / 1e6);
    }
    System.out.printf("install(), %d cold JVMs: best (median)%n", RUNS);
    print("on the wall", wall);
    print("CPU of the calling thread", cpu);
  }

  private static void print(String what, List<Double> millis) {
    Collections.sort(millis);
    System.out.printf("| %s | %.0f (%.0f) ms |%n", what, millis.get(0), millis.get(RUNS / 2));
  }

  private static String measured(String[] options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    Collections.addAll(command, options);
    command.add("-cp");
    command.add(new File(System.getProperty("java.class.path")).getAbsolutePath());
    command.add(Child.class.getName());
    Process child =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (child.waitFor() != 0 || output.isBlank()) {
      throw new IOException("It failed: " + String.join(" ", command));
    }
    return output;
  }

  /** The program that is measured. */
  static final class Child {
    private Child() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
      LoggerFactory.getLogger(Child.class).info("The {} is up", "logging");
      cpu();
      long cpu = cpu();
      long start = System.nanoTime();
      GracefulShutdown.builder().install();
      long wall = System.nanoTime() - start;
      System.out.println(wall + " " + (cpu() - cpu));
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }

    /** Nanoseconds this thread has run. Linux; the JVM's own way would warm up what is measured. */
    private static long cpu() throws IOException {
      byte[] text = new byte[64];
      try (FileInputStream file = new FileInputStream("/proc/thread-self/schedstat")) {
        int length = file.read(text);
        long nanos = 0;
        for (int i = 0; i < length && text[i] >= '0'; i++) {
          nanos = nanos * 10 + text[i] - '0';
        }
        return nanos;
      }
    }
  }
}
