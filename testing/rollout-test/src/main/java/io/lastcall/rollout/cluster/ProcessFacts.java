package io.lastcall.rollout.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a pod's first process would be as PID 1 of a container, where the kernel drops a signal that
 * the process has no handler for.
 *
 * @param command its name, as {@code java} or {@code sh}
 * @param catchesSigterm whether it has a handler; true where the system does not tell
 * @param catchesSigquit the same
 * @param children names of the processes below it
 * @param xrs whether it is a JVM whose options say {@code -Xrs}
 */
public record ProcessFacts(
    String command,
    boolean catchesSigterm,
    boolean catchesSigquit,
    List<String> children,
    boolean xrs) {
  private static final int SIGQUIT = 3;
  private static final int SIGTERM = 15;

  public ProcessFacts {
    children = List.copyOf(children);
  }

  static ProcessFacts of(ProcessHandle process) {
    long pid = process.pid();
    return new ProcessFacts(
        name(process),
        catches(pid, SIGTERM),
        catches(pid, SIGQUIT),
        process.descendants().map(ProcessFacts::name).sorted().toList(),
        hasXrs(pid));
  }

  public boolean isShell() {
    return List.of("sh", "bash", "dash", "ash", "zsh", "ksh", "busybox").contains(command);
  }

  public boolean isJvm() {
    return command.equals("java");
  }

  private static String name(ProcessHandle process) {
    return process
        .info()
        .command()
        .map(path -> Path.of(path).getFileName().toString())
        .orElse("process " + process.pid());
  }

  /** By the mask of {@code /proc/PID/status}, proc_pid_status(5). */
  private static boolean catches(long pid, int signal) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("SigCgt:")) {
          long mask = Long.parseUnsignedLong(line.substring(7).strip(), 16);
          return (mask >> (signal - 1) & 1) == 1;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Another system, or gone this moment.
    }
    return true;
  }

  private static boolean hasXrs(long pid) {
    try {
      return arguments("/proc/" + pid + "/cmdline").contains("-Xrs")
          || arguments("/proc/" + pid + "/environ").stream()
              .filter(each -> each.matches("(JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS)=.*"))
              .anyMatch(each -> Arrays.asList(each.split("[= ]")).contains("-Xrs"));
    } catch (IOException e) {
      return false;
    }
  }

  private static List<String> arguments(String file) throws IOException {
    String text = Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    return Arrays.stream(text.split("\0", -1)).toList();
  }

  /** Asks a JVM to print its threads, among its log; another process is left alone. */
  static void dumpThreads(ProcessHandle process) {
    List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
    for (ProcessHandle each : all) {
      if (name(each).equals("java") && catches(each.pid(), SIGQUIT)) {
        try {
          new ProcessBuilder("sh", "-c", "kill -QUIT " + each.pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
        } catch (IOException e) {
          // The dump only adds to the report.
        }
      }
    }
  }
}
