package io.lastcall.process;

import java.nio.file.Path;
import java.util.Optional;

/** The JVM as the library uses it; tests replace it. Thread-safe. */
public interface Jvm {

  /** Returns the JVM that runs this code. */
  static Jvm current() {
    return HotSpot.INSTANCE;
  }

  /** Claims the process for one installation; returns false if it is claimed already. */
  boolean claim();

  /** Gives the claim back. */
  void unclaim();

  /**
   * Handles a signal.
   *
   * @param signal its name without SIG
   * @param handler called on a thread of the JVM, for every arrival
   */
  Binding bind(String signal, Runnable handler);

  /**
   * The answer to {@link #bind}.
   *
   * @param status whether the signal is handled
   * @param detail for anything but BOUND: why not, in words
   * @param undo restores the former handler, unless another one has replaced ours
   */
  record Binding(Status status, String detail, Runnable undo) {
    static Binding refused(Status status, String detail) {
      return new Binding(status, detail, () -> {});
    }
  }

  /** Whether a signal is handled. */
  enum Status {
    /** The handler is called from now on. */
    BOUND,
    /** Another handler had it before, and keeps it. */
    TAKEN,
    /** The parent process started this one with the signal ignored. */
    IGNORED,
    /** The JVM runs with -Xrs: no handler and no hook ever sees the signal. */
    REDUCED,
    /** There is no such signal, or the JVM needs it. */
    UNUSABLE
  }

  /** Adds a shutdown hook. */
  void addHook(Thread hook);

  /** Removes a shutdown hook; does nothing if the JVM ends already. */
  void removeHook(Thread hook);

  /** Exits through all shutdown hooks; blocks for ever if an exit is under way already. */
  void exit(int code);

  /**
   * Ends the process at once, without hooks. Allocates nothing, takes no lock a hook could hold.
   */
  void halt(int code);

  /**
   * Ends it as the JVM does at SIGTERM without a handler of ours, with exit code 143: that asks no
   * SecurityManager. Returns at once; does nothing where the JVM handles no SIGTERM.
   */
  default void endBySigterm() {}

  /** Returns the default of {@code terminationMessagePath} in the Kubernetes API. */
  default Path terminationMessage() {
    return Path.of("/dev/termination-log");
  }

  /**
   * Returns the name of the shell that is PID 1 and this process's parent, if there is one: it gets
   * the stop signal and does not pass it on.
   */
  Optional<String> shellAsInit();
}
