package io.lastcall.work;

import io.lastcall.phase.Step;
import io.lastcall.text.Words;
import io.lastcall.time.Deadline;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A long piece of work that can stop half-way, by a checkpoint, and go on in another process.
 * Thread-safe.
 *
 * <pre>{@code
 * try (Job job = shutdown.beginJob("transcode 42")) {
 *   while (hasMore() && !job.stopRequested()) {
 *     step();
 *   }
 *   if (hasMore()) {
 *     job.handBack(() -> queue.release(42));
 *   }
 * }
 * }</pre>
 */
public final class Job implements AutoCloseable {
  private final String name;
  private final WorkControl control;
  private final Thread thread = Thread.currentThread();
  private final AtomicBoolean handedBack = new AtomicBoolean();
  private final Entry entry;
  private volatile String progress = "";
  private volatile @Nullable HandBack atTimeUp;

  Job(String name, WorkControl control) {
    this.name = name;
    this.control = control;
    entry = new Entry();
  }

  /**
   * @throws WorkRefusedException if DRAIN has ended
   */
  void open() {
    control.jobs().admit(entry);
  }

  /** Returns whether the shutdown has begun: stop at the next point at which work can go on. */
  public boolean stopRequested() {
    return control.deadline().isPresent();
  }

  /** Returns when DRAIN ends at the latest; empty until a stop is requested. */
  public Optional<Deadline> deadline() {
    return control.deadline();
  }

  /**
   * Says how far it has come, for logs and the report.
   *
   * @param done from 0 to 1; other values are taken as the nearer of the two
   * @param text in words; may be empty
   */
  public void progress(double done, String text) {
    Objects.requireNonNull(text, "text must not be null");
    long percent = Math.round(Math.max(0, Math.min(1, done)) * 100);
    progress = ", " + percent + " %" + (text.isEmpty() ? "" : ": " + text);
  }

  /**
   * Hands back now what is left to do, so that another process can take it: the process then exits
   * with 75 (EX_TEMPFAIL), never 0. The first call counts; later ones do nothing.
   *
   * @throws Exception what the action throws; the work then counts as not handed back, and the
   *     shutdown as incomplete
   */
  public void handBack(HandBack action) throws Exception {
    Objects.requireNonNull(action, "action must not be null");
    if (!handedBack.compareAndSet(false, true)) {
      return;
    }
    try {
      action.run();
    } catch (Exception | Error e) {
      control.failed("job '%s' was not handed back: %s".formatted(name, Words.message(e)));
      throw e;
    }
    control.handedBack(name + progress);
  }

  /**
   * Sets the action that hands it back where DRAIN times out while the job is open: on a thread of
   * the library's, before the job's own thread is interrupted, and not if {@link #handBack} was
   * called.
   */
  public void handBackAtTimeUp(HandBack action) {
    atTimeUp = Objects.requireNonNull(action, "action must not be null");
  }

  /** Returns the step that hands it back where its time is up. */
  Step handBack() {
    return WorkControl.handBack(
        name,
        () -> {
          HandBack action = atTimeUp;
          if (action != null) {
            handBack(action);
            entry.release();
          }
        });
  }

  void interrupt() {
    thread.interrupt();
  }

  /** Ends it. Closing it again does nothing. */
  @Override
  public void close() {
    control.closed(this);
    entry.release();
  }

  /** The unit that counts the job as in progress. */
  private final class Entry extends Work.Unit {
    Entry() {
      super(name, control.jobs(), thread);
    }

    @Override
    protected String description() {
      return name + progress;
    }
  }

  /** What returns work to where it came from. */
  @FunctionalInterface
  public interface HandBack {
    /**
     * Returns it.
     *
     * @throws Exception if that fails
     */
    void run() throws Exception;
  }
}
