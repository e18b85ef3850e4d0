package io.lastcall.spring.taker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The virtual threads of the JVM. It lists them nowhere but in a dump to a file, since Java 21. A
 * dump stops no thread, and is made only where a virtual thread has run.
 */
final class VirtualThreads {
  private static final Logger log = LoggerFactory.getLogger(VirtualThreads.class);

  private static final String DIAGNOSTIC = "com.sun.management.HotSpotDiagnosticMXBean";

  /** The JVM's own, of which one at least is there once a virtual thread has run. */
  private static final Pattern THEIRS = Pattern.compile("VirtualThread-un(parker|blocker)");

  private static final String CARRIER = "jdk.internal.misc.CarrierThread";

  private static final Pattern HEAD = Pattern.compile("#(\\d+) \"(.*)\" virtual(?: .*)?");

  /** As {@code StackTraceElement} writes it, after its class loader and module. */
  private static final Pattern FRAME =
      Pattern.compile("\\s+(?:at )?(?:[^(]*/)?([^(/]+)\\.([^.(]+)\\(.*");

  private VirtualThreads() {}

  /**
   * Returns none where the JVM cannot say: before Java 21, or without a folder to write to.
   *
   * @param platform the platform threads of the JVM
   */
  static List<LiveThread> all(Set<Thread> platform) {
    return haveRun(platform) ? dump() : List.of();
  }

  private static boolean haveRun(Set<Thread> platform) {
    return platform.stream()
        .anyMatch(
            each ->
                each.getClass().getName().equals(CARRIER)
                    || THEIRS.matcher(each.getName()).matches());
  }

  private static List<LiveThread> dump() {
    try {
      Path folder = Files.createTempDirectory("lastcall-threads");
      Path file = folder.resolve("threads.txt"); // refused if it exists
      try {
        write(file);
        return read(Files.readAllLines(file));
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(folder);
      }
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      log.debug("The virtual threads of the application are not seen", e);
      return List.of();
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a type that Java 17 has without its method
  private static void write(Path file) throws ReflectiveOperationException {
    Class type = Class.forName(DIAGNOSTIC);
    Class format = Class.forName(DIAGNOSTIC + "$ThreadDumpFormat");
    PlatformManagedObject bean = ManagementFactory.getPlatformMXBean(type);
    type.getMethod("dumpThreads", String.class, format)
        .invoke(bean, file.toAbsolutePath().toString(), Enum.valueOf(format, "TEXT_PLAIN"));
  }

  /** Returns the virtual threads of a dump in plain text, as Java 21 and later write it. */
  static List<LiveThread> read(List<String> lines) {
    List<LiveThread> found = new ArrayList<>();
    List<StackTraceElement> stack = new ArrayList<>(); // of a platform thread, at first
    for (String line : lines) {
      Matcher head = HEAD.matcher(line);
      Matcher frame = FRAME.matcher(line);
      if (head.matches()) {
        stack = new ArrayList<>();
        String name = head.group(2).isEmpty() ? "virtual thread " + head.group(1) : head.group(2);
        found.add(new LiveThread(name, LiveThread.Kind.VIRTUAL, stack));
      } else if (line.isBlank()) {
        stack = new ArrayList<>();
      } else if (frame.matches()) {
        stack.add(new StackTraceElement(frame.group(1), frame.group(2), null, -1));
      }
    }
    return found;
  }
}
