package io.lastcall.connection;

import org.jspecify.annotations.Nullable;

/**
 * Things done one after the other, each whatever happens to those before it: the listeners of a
 * server, say. For one thread.
 */
public final class Attempts {
  private @Nullable Exception failure;

  /** Creates one that has not failed. */
  public Attempts() {}

  /** What is attempted. */
  @FunctionalInterface
  public interface Action {
    /** Does it. */
    void run() throws Exception;
  }

  /** Does it now, and keeps its failure for {@link #throwFailure}. */
  public void attempt(Action action) {
    try {
      action.run();
    } catch (Exception e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
  }

  /**
   * Call it last.
   *
   * @throws Exception the first failure, if there was one, the others suppressed in it
   */
  public void throwFailure() throws Exception {
    if (failure != null) {
      throw failure;
    }
  }
}
