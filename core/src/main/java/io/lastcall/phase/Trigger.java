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
    /** SIGINT that is no stop signal: a person at a terminal. KEEP_SERVING is skipped. */
    INTERRUPT,
    /** {@code begin(reason)}: the program itself, or {@code /prestop}. */
    REQUEST,
    /** Somebody else's {@code System.exit}: the JVM is going down already, the drain is short. */
    JVM_EXIT
  }

  @Override
  public String toString() {
    return reason;
  }
}
