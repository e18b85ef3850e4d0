package io.lastcall.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Linux namespaces for a process, as root or as a user that may have some: a {@code /dev} of its
 * own, so that each process has its own termination message, and a PID 1.
 */
final class Namespaces {
  /** Makes {@code /dev}; leaves the folder in {@code $F}. */
  static final String OWN_DEV =
      """
      dev="$F/dev"; mkdir -p "$dev"; mount -t tmpfs faults "$dev"
      for node in null zero full random urandom; do
        touch "$dev/$node"; mount --bind "/dev/$node" "$dev/$node"
      done
      ln -s /proc/self/fd "$dev/fd"
      touch "$F/termination-log" "$dev/termination-log"
      mount --bind "$F/termination-log" "$dev/termination-log"
      mount --rbind "$dev" /dev
      """;

  private static final Optional<List<String>> UNSHARE =
      first(
          List.of("unshare", "--mount"),
          List.of("unshare", "--user", "--map-root-user", "--mount"));

  private Namespaces() {}

  static boolean areThere() {
    return UNSHARE.isPresent();
  }

  /** Returns what stands in front of a command; empty where there are none. */
  static List<String> prefix(boolean pidOne) {
    List<String> prefix = new ArrayList<>(UNSHARE.orElse(List.of()));
    if (pidOne) {
      prefix.addAll(List.of("--pid", "--fork", "--kill-child", "--mount-proc"));
    }
    return prefix;
  }

  @SafeVarargs
  private static Optional<List<String>> first(List<String>... candidates) {
    for (List<String> candidate : candidates) {
      List<String> probe = new ArrayList<>(candidate);
      probe.addAll(List.of("--pid", "--fork", "--mount-proc", "true"));
      if (succeeds(probe)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  static boolean succeeds(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
