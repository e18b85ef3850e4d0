package io.lastcall.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** The JVM that runs this code. */
final class HotSpot implements Jvm {
  static final HotSpot INSTANCE = new HotSpot();

  private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ash", "ksh", "zsh");

  private static final String SIGTERM = "TERM";

  private final AtomicBoolean claimed = new AtomicBoolean();

  private volatile Runnable giveBackSigterm = () -> {};

  private HotSpot() {}

  @Override
  public boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  @Override
  public void unclaim() {
    claimed.set(false);
  }

  @Override
  public Binding bind(String signal, Runnable handler) {
    Binding binding = SunSignals.bind(signal, handler);
    if (signal.equals(SIGTERM)) {
      giveBackSigterm = binding.undo();
    }
    return binding;
  }

  @Override
  public void addHook(Thread hook) {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM ends: the hook runs or has run, and finds nothing to do.
    }
  }

  @Override
  public void exit(int code) {
    System.exit(code);
  }

  @Override
  public void halt(int code) {
    Runtime.getRuntime().halt(code);
  }

  @Override
  public void endBySigterm() {
    giveBackSigterm.run();
    SunSignals.raise(SIGTERM);
  }

  @Override
  public Optional<String> shellAsInit() {
    return shellAsInit(Path.of("/proc"));
  }

  /** Reads proc(5); {@link ProcessHandle} would start a thread. */
  static Optional<String> shellAsInit(Path proc) {
    try {
      // pid (name) state ppid: the name may hold spaces and parentheses.
      String stat = Files.readString(proc.resolve("self/stat"));
      String parent = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 3)[1];
      if (!parent.equals("1")) {
        return Optional.empty();
      }
      // A shell that runs a script has the script's name, and its own in the command line alone.
      String name = Files.readString(proc.resolve("1/comm")).trim();
      String command = Files.readString(proc.resolve("1/cmdline")).split("\0", 2)[0];
      String program = command.substring(command.lastIndexOf('/') + 1);
      return Stream.of(name, program).filter(SHELLS::contains).findFirst();
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // no proc(5), or no access to it
    }
  }
}
