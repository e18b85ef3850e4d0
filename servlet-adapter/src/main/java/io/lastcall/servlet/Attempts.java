package io.lastcall.servlet;

import org.jspecify.annotations.Nullable;

/**
 * Actions in a row, each done even if one before it failed: closing the listeners of a server, for
 * example. For one thread.
 */
public final class Attempts {
  private @Nullable Exception failure;

  /** Creates one without a failure. */
  public Attempts() {}

  /** An action that may fail. */
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
   * @throws Exception the first failure, if there was one, with the others suppressed
   */
  public void throwFailure() throws Exception {
    if (failure != null) {
      throw failure;
    }
  }
}
