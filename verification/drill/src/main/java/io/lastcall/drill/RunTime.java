package io.lastcall.drill;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The CPU time that a JVM's threads have taken, user and system, by the nanosecond, as Linux's
 * scheduler counts it. Not that of the JIT compiler: it is spent once, at a time of its own
 * choosing, and in a measurement of seconds it makes several percent of all.
 */
final class RunTime {
  /** Linux keeps 15 characters of a thread's name. */
  private static final Pattern COMPILER = Pattern.compile("C[12] CompilerThre.*");

  private RunTime() {}

  /**
   * @throws IOException if the process is gone, or the system tells no such thing
   */
  static long nanos(long pid) throws IOException {
    long sum = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads) {
        sum += ofThread(thread);
      }
    }
    return sum;
  }

  private static long ofThread(Path thread) throws IOException {
    try {
      return COMPILER.matcher(Files.readString(thread.resolve("comm")).strip()).matches()
          ? 0
          : Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[0]);
    } catch (NoSuchFileException ended) {
      // Between the list and the look.
      return 0;
    }
  }
}
