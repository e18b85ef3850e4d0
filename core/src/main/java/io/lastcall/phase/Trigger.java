package io.lastcall.phase;

/**
 * The event that began a shutdown.
 *
 * @param kind which kind of event
 * @param reason in words, such as {@code SIGTERM}
 */
public record Trigger(Kind kind, String reason) {

  /** The ways a shutdown begins. */
  public enum Kind {
    /** A configured stop signal: the kubelet. */
    STOP_SIGNAL,
    /**
     * SIGINT, unless it is a stop signal: a person at a terminal. KEEP_SERVING and the readiness
     * hold are skipped.
     */
    INTERRUPT,
    /** {@code begin(reason)}: the program itself, or {@code /prestop}. */
    REQUEST,
    /**
     * The JVM is going down already and the drain is short: a {@code System.exit} of the
     * application, a signal that the JVM itself ends on such as SIGHUP, or the end of the last
     * thread that is no daemon. A hook cannot tell which.
     */
    JVM_EXIT
  }

  /** The kubelet's preStop hook; the stop signal follows it. */
  public static final Trigger PRE_STOP = new Trigger(Kind.REQUEST, "/prestop");

  /** Returns whether a signal or a preStop hook began the shutdown. */
  public boolean isSignal() {
    return kind == Kind.STOP_SIGNAL || kind == Kind.INTERRUPT || equals(PRE_STOP);
  }

  @Override
  public String toString() {
    return reason;
  }
}
