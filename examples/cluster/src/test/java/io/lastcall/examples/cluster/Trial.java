package io.lastcall.examples.cluster;

import java.io.IOException;

/** Several processes that run all the time; one of them is ended, and started again. */
public interface Trial extends AutoCloseable {
  /**
   * Ends the leader, or the next process in turn.
   *
   * @param number of the shutdown; varies when SIGTERM comes
   */
  Outcome shutDown(int number) throws Exception;

  /** Starts again what was ended, and waits until it is back. */
  void restart() throws Exception;

  @Override
  void close() throws IOException;
}
