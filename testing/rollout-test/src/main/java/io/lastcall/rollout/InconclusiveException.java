package io.lastcall.rollout;

/**
 * There is no verdict: the machine was too busy, or nothing was sent that could have been lost.
 * With {@link RollingUpdateTest} it aborts the test; it never fails one.
 */
public final class InconclusiveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InconclusiveException(String message) {
    super(message);
  }
}
