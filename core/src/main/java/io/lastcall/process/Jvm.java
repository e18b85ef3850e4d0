package io.lastcall.process;

import java.nio.file.Path;
import java.util.Optional;

/** What the library asks of the JVM it runs in. Thread-safe. */
public interface Jvm {

  /** Returns the JVM this runs in. */
  static Jvm current() {
    return HotSpot.INSTANCE;
  }

  /**
   * Claims the process for one installation.
   *
   * @return false if it is claimed already
   */
  boolean claim();

  /** Gives the claim back. */
  void unclaim();

  /**
   * Handles a signal.
   *
   * @param signal its name without SIG
   * @param handler called on a thread of the JVM's, for every arrival
   */
  SignalBinding bind(String signal, Runnable handler);

  /** Adds a shutdown hook. */
  void addHook(Thread hook);

  /** Removes a shutdown hook; does nothing if the JVM is going down already. */
  void removeHook(Thread hook);

  /** Exits through all shutdown hooks; blocks for ever if an exit is under way already. */
  void exit(int code);

  /** Ends the process at once: no hooks. Allocates nothing, takes no lock a hook could hold. */
  void halt(int code);

  /**
   * Executes {@link #halt} up to its last call while nothing is wrong yet, so that nothing is
   * loaded or linked late.
   */
  void prepareHalt();

  /**
   * Returns the file whose text {@code kubectl describe pod} shows: the default of the Kubernetes
   * API's {@code terminationMessagePath}.
   */
  default Path terminationMessage() {
    return Path.of("/dev/termination-log");
  }

  /**
   * Returns the name of the shell that is PID 1 and this process's parent, if that is so: the stop
   * signal goes to PID 1 alone, and a shell does not pass it on.
   */
  Optional<String> shellAsInit();
}
