package io.lastcall.work;

import io.lastcall.process.Threads;
import io.lastcall.text.Words;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A registered source and how far its end has come. Thread-safe. */
final class Source {
  private final String name;
  private final WorkSource source;
  private final Runnable wake;
  private final FutureTask<@Nullable Void> stop = new FutureTask<>(this::stop);
  private final Thread thread;
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile boolean finished;
  private volatile boolean handedBack;
  private volatile @Nullable Throwable failure;

  /**
   * @param wake called when it is finished
   */
  Source(String name, WorkSource source, Runnable wake) {
    this.name = name;
    this.source = source;
    this.wake = wake;
    thread = Threads.daemon("stop-" + name, stop);
  }

  String name() {
    return name;
  }

  /**
   * Stops it, on a thread of its own. Called before anything else of the shutdown, which takes tens
   * of milliseconds the first time, since its classes are loaded: a source takes on meanwhile.
   */
  void begin() {
    if (begun.compareAndSet(false, true)) {
      Threads.start(thread);
    }
  }

  /** Waits until it was stopped. Its interrupt becomes one of the thread that stops it. */
  void stopTaking() throws Exception {
    stop.run(); // here, if no thread could be started
    try {
      stop.get();
    } catch (InterruptedException e) {
      stop.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception thrown ? thrown : e;
    }
  }

  /** Whatever fails, the stage is asked for: what was taken may finish all the same. */
  private @Nullable Void stop() throws Exception {
    try {
      source.stopTaking();
    } finally {
      follow();
    }
    return null;
  }

  private void follow() {
    try {
      CompletionStage<?> stage =
          Objects.requireNonNull(source.finished(), "finished() has returned null");
      stage.whenComplete((nothing, thrown) -> finish(thrown));
    } catch (Throwable t) {
      finish(t);
    }
  }

  private void finish(@Nullable Throwable thrown) {
    failure = thrown;
    finished = true;
    wake.run();
  }

  /** Returns whether it was stopped and has not finished: DRAIN waits for it. */
  boolean isInProgress() {
    return begun.get() && !finished;
  }

  boolean isFinished() {
    return finished;
  }

  /** Returns in words that it has not finished, if so, unless it was handed back. */
  Optional<String> problem() {
    Throwable thrown = failure;
    if (handedBack || (finished && thrown == null)) {
      return Optional.empty();
    }
    return Optional.of(
        "work source '%s' did not finish%s"
            .formatted(name, thrown == null ? "" : ": " + Words.message(thrown)));
  }

  boolean handBack() throws Exception {
    handedBack = source.handBack();
    return handedBack;
  }
}
