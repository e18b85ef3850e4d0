package io.lastcall;

import io.lastcall.phase.Phase;
import java.time.Duration;
import java.util.Set;

/**
 * What is said just before the halt: what hangs. Rehearsed, as the exit is. By then the JVM may be
 * in its own end, and where that writes an archive of classes it crashes if a lambda is linked.
 *
 * @param before how long before the halt it is said
 * @param reporter looks at what hangs
 */
record HaltNotice(Duration before, StuckReporter reporter) {
  /**
   * Our exit hangs.
   *
   * @param threads those that were alive before it
   */
  String ofExit(Set<Thread> threads) {
    String hooks = reporter.startedSince(threads);
    return "exit hangs, "
        + halted()
        + (hooks.isEmpty()
            ? "; no hook of others runs, it is the JVM's own end that takes so long"
            : "; hooks of others that still run:" + hooks);
  }

  /** Somebody else's exit hangs. */
  String ofOthersExit() {
    return "the exit that somebody else began hangs, "
        + halted()
        + "; ours is done, these still run:"
        + reporter.users();
  }

  /** The sequence hangs. */
  String ofSequence(Sequence sequence) {
    return sequence.phase().map(Phase::name).orElse("Start")
        + " is late, "
        + halted()
        + "; still running:"
        + sequence.stuck(reporter);
  }

  /** Start-up, or a hook that waits for it, goes on after a stop signal. */
  String ofStartUp() {
    return "start-up is late, " + halted() + "; still running:" + reporter.users();
  }

  private String halted() {
    return "the process is halted in " + before.toMillis() + " ms unless it ends";
  }
}
