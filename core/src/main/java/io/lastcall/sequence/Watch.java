package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a shutdown from a thread of its own: logs every five seconds what DRAIN waits for and,
 * just before the halt, what hangs. Does not depend on the sequence, which may be what hangs.
 */
public final class Watch {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private static final Duration PROGRESS = Duration.ofSeconds(5);

  /** The longest time before the halt at which the report of what hangs is made. */
  private static final Duration LONGEST = Duration.ofSeconds(1);

  /**
   * When the records of the halt are written, before it: late, so that none is written for an exit
   * that still succeeds.
   */
  private static final Duration RECORD = Duration.ofMillis(100);

  private final Duration beforeHalt;
  private final Supplier<Optional<ShutdownContext>> shutdown;
  private final BiFunction<Optional<Phase>, String, Runnable> records;

  private volatile @Nullable Thread thread;
  private volatile Optional<Phase> phase = Optional.empty();
  private volatile @Nullable Deadline drainBegan;
  private volatile @Nullable Set<Thread> threadsBeforeExit;
  private volatile boolean othersExit;

  /**
   * @param exitTimeout the time of EXIT: the report of what hangs has two fifths of it
   * @param shutdown the shutdown, once it has begun
   * @param records makes what records that the process is halted: in which phase, empty before the
   *     first, and what hangs
   */
  public Watch(
      Duration exitTimeout,
      Supplier<Optional<ShutdownContext>> shutdown,
      BiFunction<Optional<Phase>, String, Runnable> records) {
    this.shutdown = shutdown;
    beforeHalt = Durations.min(exitTimeout.multipliedBy(2).dividedBy(5), LONGEST);
    this.records = records;
  }

  /** Returns the phase that runs, or ran last. */
  public Optional<Phase> phase() {
    return phase;
  }

  void phaseBegins(Phase next, Deadline now) {
    phase = Optional.of(next);
    drainBegan = next == Phase.DRAIN ? now : null;
    LockSupport.unpark(thread);
  }

  /** The process exits next: a thread that was not alive before is a JVM hook. */
  public void exitBegins(Set<Thread> alive) {
    threadsBeforeExit = alive;
  }

  /** The application has called an exit itself, and the shutdown has done its part. */
  public void leavesExitToOthers() {
    othersExit = true;
  }

  /** Watches until just before the halt, and does not return before. */
  public void run(Deadline halt) {
    thread = Thread.currentThread();
    Deadline record = halt.plus(Durations.min(RECORD, beforeHalt.dividedBy(2)).negated());
    logProgressUntil(halt.plus(beforeHalt.negated()));
    String words = "what hangs could not be found out; the heap may be full";
    @Nullable Runnable made = null;
    try {
      words = hanging(new HangReport(record));
      made = records.apply(phase(), words);
      String line = "Halt in " + beforeHalt.toMillis() + " ms unless the process ends: " + words;
      ShutdownLog.warn(log, "{}", line);
      // The log may have ended with a JVM hook of its own, and a full pipe must not block this.
      ShutdownLog.write(() -> System.err.println("lastcall: " + line));
    } catch (Throwable t) {
      // There is no memory for it, most likely.
    }
    while (!record.hasPassed()) {
      park(record);
    }
    try {
      (made == null ? records.apply(phase(), words) : made).run();
    } catch (Throwable noMemory) {
      // The records stay as they are; the halt follows.
    }
  }

  private void logProgressUntil(Deadline end) {
    int logged = 0;
    while (!end.hasPassed()) {
      Deadline began = drainBegan;
      Deadline next = began == null ? end : began.plus(PROGRESS.multipliedBy(logged + 1L));
      if (!next.earlier(end).hasPassed()) {
        park(next.earlier(end));
      } else if (next.hasPassed()) {
        logged++;
        logProgress(PROGRESS.multipliedBy(logged));
      }
    }
  }

  private void park(Deadline until) {
    until.park(this);
    Thread.interrupted(); // a thread that stays interrupted cannot park
  }

  private void logProgress(Duration waited) {
    shutdown
        .get()
        .ifPresent(
            now ->
                ShutdownLog.info(
                    log,
                    "DRAIN has waited for {} s; {}",
                    waited.toSeconds(),
                    HangReport.progress(now.service())));
  }

  private String hanging(HangReport report) {
    Set<Thread> before = threadsBeforeExit;
    if (before != null) {
      String hooks = report.startedSince(before);
      return hooks.isEmpty()
          ? "the exit hangs; no hook of others runs, it is the JVM's own end that takes so long"
          : "the exit hangs; JVM hooks of others that still run:" + hooks;
    }
    if (othersExit) {
      return "an exit that the application called hangs; still running:" + report.users();
    }
    return shutdown
        .get()
        .map(
            now ->
                phase().map(Phase::name).orElse("the start")
                    + " is late; still running:"
                    + report.describe(now))
        .orElseGet(() -> "start-up or a JVM hook hangs; still running:" + report.users());
  }
}
