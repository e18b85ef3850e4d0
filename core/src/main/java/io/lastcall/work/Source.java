package io.lastcall.work;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A registered source and how far its end has come. Thread-safe. */
final class Source {
  private final String name;
  private final WorkSource source;
  private final Runnable wake;
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
  }

  String name() {
    return name;
  }

  /** Whatever fails, the stage is asked for: what was taken may finish all the same. */
  void stopTaking() throws Exception {
    try {
      source.stopTaking();
    } finally {
      follow();
    }
  }

  private void follow() {
    try {
      CompletionStage<?> stage =
          Objects.requireNonNull(source.finished(), "finished() has returned null");
      stage.whenComplete((nothing, thrown) -> finish(thrown));
    } catch (RuntimeException e) {
      finish(e);
    }
  }

  private void finish(@Nullable Throwable thrown) {
    failure = thrown;
    finished = true;
    wake.run();
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
            .formatted(name, thrown == null ? "" : ": " + thrown.getMessage()));
  }

  boolean handBack() throws Exception {
    handedBack = source.handBack();
    return handedBack;
  }
}
