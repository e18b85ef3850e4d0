package io.lastcall.sequence;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.phase.Phase;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a shutdown from a thread of its own: says every five seconds what DRAIN waits for and,
 * just before the halt, what hangs. It must not depend on the sequence, which may be what hangs.
 */
public final class Watch {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private static final Duration PROGRESS = Duration.ofSeconds(5);

  private final ShutdownContext context;
  private final HaltNotice notice;
  private final Thread thread;

  private volatile @Nullable Phase phase;
  private volatile @Nullable Deadline drainBegan;
  private volatile @Nullable Set<Thread> threadsBeforeExit;
  private volatile boolean othersExit;

  /**
   * @param thread the thread that runs {@link #run}, woken when a phase begins
   */
  public Watch(ShutdownContext context, HaltNotice notice, Thread thread) {
    this.context = context;
    this.notice = notice;
    this.thread = thread;
  }

  /** Returns the phase that runs, or ran last. */
  public Optional<Phase> phase() {
    return Optional.ofNullable(phase);
  }

  /** A phase begins. */
  public void begins(Phase next) {
    phase = next;
    boolean drains = next == Phase.DRAIN;
    Deadline start = context.budget().start();
    drainBegan = drains ? Deadline.after(Duration.ZERO, start.ticker()) : null;
    LockSupport.unpark(thread);
  }

  /** The process exits next: what hangs from now on is a hook of the JVM. */
  public void exits(Set<Thread> alive) {
    threadsBeforeExit = alive;
  }

  /** An exit that somebody else has called is under way, and the shutdown has done its part. */
  public void leavesExitToOthers() {
    othersExit = true;
  }

  /** Watches until just before the halt, and does not return before. */
  public void run() {
    watchUntil(notice.due());
    notice.give(this::phase, this::hanging);
  }

  private void watchUntil(Deadline look) {
    int said = 0;
    while (!look.hasPassed()) {
      Deadline began = drainBegan;
      Deadline next = began == null ? look : began.plus(PROGRESS.multipliedBy(said + 1L));
      if (!next.earlier(look).hasPassed()) {
        next.earlier(look).park(this);
        Thread.interrupted(); // a thread that stays interrupted cannot park
      } else if (next.hasPassed()) {
        said++;
        sayProgress(PROGRESS.multipliedBy(said));
      }
    }
  }

  private void sayProgress(Duration waited) {
    long inFlight = context.gate().gate().inFlight();
    if (inFlight == 0) {
      ShutdownLog.info(
          log,
          "DRAIN has waited for {} s; {} still open",
          waited.toSeconds(),
          HangReport.counted(GuardedServer.open(context.servers()), "connection"));
      return;
    }
    ShutdownLog.info(
        log,
        "DRAIN has waited for {} s; {} in flight{}",
        waited.toSeconds(),
        HangReport.counted(inFlight, "request"),
        context.gate().running().stream()
            .max(Comparator.comparing(request -> request.age().orElse(Duration.ZERO)))
            .map(Watch::oldest)
            .orElse(""));
  }

  private static String oldest(InFlightRequest request) {
    return ", the oldest "
        + request.description()
        + request.age().map(age -> ", " + age.toMillis() + " ms old").orElse("")
        + request.thread().map(runs -> ", on " + runs.getName()).orElse("");
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
    return phase().map(Phase::name).orElse("the start")
        + " is late; still running:"
        + report.describe(context);
  }
}
