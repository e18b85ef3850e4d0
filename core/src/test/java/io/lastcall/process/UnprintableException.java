package io.lastcall.process;

/** Throws when it is asked for its message, and so when it is logged. */
public final class UnprintableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates one. */
  public UnprintableException() {}

  @Override
  public String getMessage() {
    throw new UnsupportedOperationException("no message");
  }
}
