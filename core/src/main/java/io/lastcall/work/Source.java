package io.lastcall.work;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
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
  private final WorkControl control;
  private final FutureTask<@Nullable Void> stop = new FutureTask<>(this::stop);
  private final Thread thread;
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile boolean finished;
  private volatile boolean handedBack;
  private volatile @Nullable Throwable failure;

  Source(String name, WorkSource source, WorkControl control) {
    this.name = name;
    this.source = source;
    this.control = control;
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

  /** Returns the step that waits until it was stopped. */
  Step stopTaking() {
    return Step.of(Phase.KEEP_SERVING, "stop taking " + name, context -> awaitStop());
  }

  /** An interrupt becomes one of the thread that stops it. */
  private void awaitStop() throws Exception {
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
    control.wake();
  }

  /** Returns whether it was stopped and has not finished: DRAIN waits for it. */
  boolean isInProgress() {
    return begun.get() && !finished;
  }

  /** Returns whether what was taken is done: what was handed back is not. */
  boolean isFinished() {
    return finished && failure == null && !handedBack;
  }

  /** Returns in words that it has not finished, if so, unless it was handed back. */
  Optional<String> problem() {
    Throwable thrown = failure;
    return handedBack || isFinished()
        ? Optional.empty()
        : Optional.of(
            this + " did not finish" + (thrown == null ? "" : ": " + Words.message(thrown)));
  }

  /** Returns the step that hands back what it has not finished. */
  Step handBack() {
    return WorkControl.handBack(
        name,
        () -> {
          handedBack = source.handBack();
          if (handedBack) {
            control.handedBack(name);
          }
        });
  }

  @Override
  public String toString() {
    return "work source '" + name + "'";
  }
}
