package io.lastcall.probe;

import io.lastcall.time.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One check, its last result, and its run if there is one now. Whoever asks while it runs joins
 * that run. A run that hangs has answered "timed out", and goes on answering so until it ends: no
 * second one is started beside it.
 */
final class CheckRunner {
  private static final Logger log = LoggerFactory.getLogger(Probes.class);

  private static final CheckResult FAILED = CheckResult.down("it failed");
  private static final CheckResult NULL = CheckResult.down("it returned null");

  private final Check check;
  private final CheckPool pool;
  private final Ticker ticker;

  /** That of whoever added it: the pool's threads have that of whoever asked first. */
  private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

  private final Object lock = new Object();

  // Guarded by lock. No foreign code runs under it.
  private @Nullable Run running;
  private @Nullable CheckResult last;
  private long lastAt;

  /** Whether the last result logged was a failure: changes are logged, not every probe. */
  private boolean loggedDown;

  CheckRunner(Check check, CheckPool pool, Ticker ticker) {
    this.check = check;
    this.pool = pool;
    this.ticker = ticker;
  }

  String name() {
    return check.name();
  }

  /** Returns the result: at once if one is good still, or when the run is over. Never blocks. */
  CompletableFuture<CheckResult> result() {
    Run run;
    synchronized (lock) {
      if (running != null) {
        return running.answer;
      }
      if (last != null && ticker.read() - lastAt < check.cachedFor().toNanos()) {
        return CompletableFuture.completedFuture(last);
      }
      run = new Run();
      running = run;
    }
    run.start();
    return run.answer;
  }

  private void over(Run run, @Nullable CheckResult result) {
    synchronized (lock) {
      if (running == run) {
        running = null;
        last = result;
        lastAt = ticker.read();
      }
    }
  }

  private void logChange(CheckResult result, @Nullable Throwable failure) {
    synchronized (lock) {
      if (loggedDown != result.isUp()) {
        return;
      }
      loggedDown = !result.isUp();
    }
    if (result.isUp()) {
      log.info("Check '{}' passes again", check.name());
    } else {
      log.warn("Check '{}' failed: {}", check.name(), result.reason(), failure);
    }
  }

  /** One run. */
  private final class Run implements Runnable {
    final CompletableFuture<CheckResult> answer = new CompletableFuture<>();

    /** The thread to interrupt, while it is the check's; guarded by this. */
    private @Nullable Thread thread;

    private final AtomicBoolean settled = new AtomicBoolean();
    private volatile boolean late;
    private volatile @Nullable Future<?> alarm;

    void start() {
      try {
        alarm = pool.after(check.timeout(), this::timeOut);
        pool.execute(this);
      } catch (Throwable noThread) {
        // At the limit of threads, or of memory: a probe must still say so.
        end(CheckResult.down("no thread for it"), noThread);
      }
    }

    @Override
    public void run() {
      synchronized (this) {
        thread = Thread.currentThread();
      }
      CheckResult result = FAILED;
      Throwable failure = null;
      try {
        Thread.currentThread().setContextClassLoader(loader);
        // Late before it begins: the timer may have found nobody to interrupt.
        result = late ? FAILED : check.action().check();
        if (result == null) {
          result = NULL;
        }
      } catch (Throwable t) {
        failure = t;
        // The message may hold what is no stranger's business: host names, credentials.
        result = CheckResult.down(t.getClass().getSimpleName());
      } finally {
        // Whatever was thrown, also from the line above where memory is out: it has ended.
        synchronized (this) {
          thread = null;
          // An interrupt meant for this check is not the next one's.
          Thread.interrupted();
        }
        end(result, failure);
      }
    }

    /** Runs on the timer's thread. */
    private void timeOut() {
      late = true;
      boolean neverRan = pool.remove(this);
      if (!neverRan) {
        synchronized (this) {
          if (thread != null) {
            thread.interrupt();
          }
        }
      }
      CheckResult result = timedOut();
      settle(
          result,
          null,
          () -> {
            if (neverRan) {
              over(this, result);
            }
          });
    }

    private CheckResult timedOut() {
      return CheckResult.down("timed out after " + check.timeout().toMillis() + " ms");
    }

    private void end(CheckResult result, @Nullable Throwable failure) {
      Future<?> pending = alarm;
      if (pending != null) {
        pending.cancel(false);
      }
      if (late) {
        // It may get here before the timer does, with the interrupt for its failure. And what it
        // found is old news already: the next probe looks again.
        settle(timedOut(), null, () -> over(this, null));
      } else {
        settle(result, failure, () -> over(this, result));
      }
    }

    /**
     * Answers, if nobody has. The change is logged first, and the next run can start only then:
     * otherwise its change might be logged before this one's, and lost.
     */
    private void settle(CheckResult result, @Nullable Throwable failure, Runnable release) {
      boolean first = settled.compareAndSet(false, true);
      if (first) {
        try {
          logChange(result, failure);
        } catch (Throwable t) {
          // A full heap, or somebody's exception that throws when it is asked for its message.
        }
      }
      release.run();
      if (first) {
        answer.complete(result);
      }
    }
  }
}
