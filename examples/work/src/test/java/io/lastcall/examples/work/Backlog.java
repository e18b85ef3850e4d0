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

  @Override
  void close();
}
