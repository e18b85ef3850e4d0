package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says just before the halt what hangs: in the log, on standard error, and in the records.
 *
 * @param halt when the process is halted
 * @param exitTimeout of it two fifths are for this, a second at most
 * @param records leaves the records
 */
public record HaltNotice(Deadline halt, Duration exitTimeout, Records records) {

  /** Leaves records that the process is halted. */
  @FunctionalInterface
  public interface Records {
    /**
     * Leaves them.
     *
     * @param phase the phase that runs; empty before the first
     * @param hanging what hangs; blank if there was no memory to find out
     */
    void halted(Optional<Phase> phase, String hanging);
  }

  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private static final Duration LONGEST = Duration.ofSeconds(1);

  /** How long before the halt the records say so: late enough to be true. */
  private static final Duration RECORD = Duration.ofMillis(100);

  /** Returns when to look what hangs. */
  Deadline due() {
    return halt.plus(before().negated());
  }

  private Duration before() {
    return Durations.min(exitTimeout.multipliedBy(2).dividedBy(5), LONGEST);
  }

  /** Watches a process that exits before it has started. */
  public void giveForStartUp() {
    due().awaitPassed(this);
    give(
        Optional::empty, report -> "start-up or a JVM hook hangs; still running:" + report.users());
  }

  /**
   * Says what hangs and, a moment before the halt, records it.
   *
   * @param hanging finds out what hangs
   */
  void give(Supplier<Optional<Phase>> phase, Function<HangReport, String> hanging) {
    Deadline record = halt.plus(Durations.min(RECORD, before().dividedBy(2)).negated());
    String words = "";
    try {
      words = hanging.apply(new HangReport(record));
      say("Halt in " + before().toMillis() + " ms unless the process ends: " + words);
    } catch (Throwable t) {
      // The heap may be full: the records say so.
    }
    record.awaitPassed(this);
    records.halted(phase.get(), words);
  }

  /** On standard error too: the log may have ended with a JVM hook of its own. */
  private static void say(String words) {
    ShutdownLog.warn(log, "{}", words);
    System.err.println("lastcall: " + words);
  }
}
