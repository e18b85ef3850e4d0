package io.lastcall.spi;

import io.lastcall.time.Ticker;
import java.util.Map;
import java.util.Properties;

/**
 * A process in which a shutdown runs although this JVM goes on: for tests. All that the library
 * takes from a process and does to it goes through here. Thread-safe.
 */
public interface SimulatedProcess {

  /** Returns its time. */
  Ticker ticker();

  /** Returns its environment variables, read when the plan is made. */
  Map<String, String> environment();

  /** Returns its system properties, read when the plan is made. */
  Properties properties();

  /**
   * Takes the handler of a signal, one for each signal.
   *
   * @param signal its name without SIG
   * @param handler to be called by any thread, for every arrival
   */
  void onSignal(String signal, Runnable handler);

  /**
   * Notes that the process has ended, by an exit or a halt. It may return, which the real ones
   * never do: the first call counts.
   *
   * @param code the exit code
   */
  void ended(int code);
}
