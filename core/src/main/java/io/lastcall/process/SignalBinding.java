package io.lastcall.process;

/**
 * The answer to {@link Jvm#bind}.
 *
 * @param status what came of it
 * @param detail for anything but BOUND: by whom or why, in words
 * @param undo gives the signal back, if it was bound and is still ours
 */
public record SignalBinding(Status status, String detail, Runnable undo) {

  /** What came of it. */
  public enum Status {
    /** The handler is called from now on. */
    BOUND,
    /** Another handler had it before; it was left in place. */
    TAKEN,
    /** The process was started with this signal ignored, by its parent. */
    IGNORED,
    /** The JVM runs with -Xrs: no handler and no hook ever sees the signal. */
    REDUCED,
    /** There is no such signal, or the JVM needs it for itself. */
    UNUSABLE
  }

  /** Returns the answer for a signal that is handled from now on. */
  public static SignalBinding bound(Runnable undo) {
    return new SignalBinding(Status.BOUND, "", undo);
  }

  static SignalBinding not(Status status, String detail) {
    return new SignalBinding(status, detail, () -> {});
  }
}
