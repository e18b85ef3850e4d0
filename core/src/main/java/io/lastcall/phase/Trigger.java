package io.lastcall.phase;

/**
 * What began a shutdown.
 *
 * @param kind the way it came
 * @param reason in words, such as {@code SIGTERM}
 */
public record Trigger(Kind kind, String reason) {

  /** The ways a shutdown begins. */
  public enum Kind {
    /** A configured stop signal: the kubelet. */
    STOP_SIGNAL,
    /**
     * SIGINT that is no stop signal: a person at a terminal. KEEP_SERVING and the readiness hold
     * are skipped.
     */
    INTERRUPT,
    /** {@code begin(reason)}: the program itself, or {@code /prestop}. */
    REQUEST,
    /**
     * The JVM is going down already, the drain is short: somebody else's {@code System.exit},
     * SIGHUP or another signal that the JVM itself ends on, or the end of the last thread that is
     * no daemon. A hook cannot tell which.
     */
    JVM_EXIT
  }

  /** The kubelet's preStop hook has asked; it sends the stop signal after that. */
  public static final Trigger PRE_STOP = new Trigger(Kind.REQUEST, "/prestop");

  /** Returns whether the process was told to stop from outside: by a signal or a preStop hook. */
  public boolean isSignal() {
    return kind == Kind.STOP_SIGNAL || kind == Kind.INTERRUPT || equals(PRE_STOP);
  }

  @Override
  public String toString() {
    return reason;
  }
}
