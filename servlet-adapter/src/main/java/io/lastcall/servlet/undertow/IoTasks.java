package io.lastcall.servlet.undertow;

import io.lastcall.time.Deadline;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tasks that were given to XNIO's threads. */
final class IoTasks {
  private IoTasks() {}

  /**
   * Blocks until they have run.
   *
   * @param done counted down by the tasks
   * @param threads who is to run them, for the error
   * @throws IOException if they have not run in time
   */
  static void await(CountDownLatch done, Deadline deadline, String threads) throws IOException {
    try {
      if (!done.await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException(threads + " did not run in time what they were given");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for " + threads, e);
    }
  }
}
