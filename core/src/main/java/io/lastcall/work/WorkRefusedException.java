package io.lastcall.work;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Thrown where work comes too late to begin. Thread-safe. */
public final class WorkRefusedException extends RejectedExecutionException {
  private static final long serialVersionUID = 1;

  private final transient Work work;
  private final AtomicBoolean handled = new AtomicBoolean();

  WorkRefusedException(Work work, String message) {
    super(message);
    this.work = work;
  }

  /**
   * Says that nothing is lost: the caller does the work in another way, or it is due again in
   * another process. The report then does not count it as refused. Calling it again does nothing.
   */
  public void handled() {
    if (handled.compareAndSet(false, true)) {
      work.excuse();
    }
  }
}
