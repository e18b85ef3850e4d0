package io.lastcall.examples.work;

import java.util.List;

/** A real broker, or a database, with orders that wait. */
public interface Backlog extends AutoCloseable {
  /** Returns what the programs need to reach it, as their arguments. */
  List<String> arguments();

  /** Adds orders. */
  void add(List<String> orders) throws Exception;

  /**
   * Returns, as another consumer and without waiting for a timeout of the broker's, what can be
   * taken now, and takes it away.
   */
  List<String> takeAll() throws Exception;

  /**
   * Returns how many orders nobody can take yet, since they still count as taken by the process
   * that is gone. Called before {@link #takeAll}.
   */
  default int hidden() throws Exception {
    return 0;
  }

  /** Returns how many orders wait in a trial, so that there are some until the program is gone. */
  default int orders() {
    return 100;
  }

  /** Returns whether the program prints {@code started}, before which no trial ends it. */
  default boolean isStartAwaited() {
    return false;
  }

  @Override
  void close();
}
