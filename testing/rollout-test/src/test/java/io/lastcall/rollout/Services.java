package io.lastcall.rollout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the test's own services, by the JVM and the class path of the test. */
final class Services {
  /** By which the processes of this JVM's tests are known. */
  private static final String OURS = "-Dtester=" + ProcessHandle.current().pid();

  private Services() {}

  static RollingUpdate rollout(Class<?> main, String argument, String... jvmOptions) {
    return RollingUpdate.of(java(main, argument, jvmOptions).toArray(String[]::new));
  }

  /** The words of a command. */
  static List<String> java(Class<?> main, String argument, String... jvmOptions) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    words.add(OURS);
    words.addAll(List.of(jvmOptions));
    words.addAll(List.of("-cp", classes(main), main.getName(), "{port}", argument));
    return words;
  }

  private static String classes(Class<?> main) {
    return Path.of(main.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  /** Whether a process that this JVM started is still there. */
  static boolean isAnyLeft() {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .anyMatch(
            each ->
                each.info()
                    .commandLine()
                    .filter(line -> line.contains(OURS + " "))
                    .filter(line -> !line.contains(RolloutCommand.class.getName()))
                    .isPresent());
  }
}
