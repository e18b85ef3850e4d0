package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several sources that are one bean, and are known only when it stops. One that fails stops none.
 */
final class JointSource implements WorkSource {
  private final Supplier<List<WorkSource>> parts;
  private volatile List<WorkSource> stopped = List.of();
  private volatile CompletableFuture<Void> finished = new CompletableFuture<>();

  JointSource(Supplier<List<WorkSource>> parts) {
    this.parts = parts;
  }

  @Override
  public void stopTaking() throws Exception {
    try {
      stopped = parts.get();
    } catch (RuntimeException | Error e) {
      finished.completeExceptionally(e);
      throw e;
    }
    @Nullable Throwable failure = null;
    for (WorkSource part : stopped) {
      try {
        part.stopTaking();
      } catch (Throwable t) {
        failure = first(failure, t);
      }
    }
    finished =
        CompletableFuture.allOf(
            stopped.stream()
                .map(part -> part.finished().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    raise(failure);
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  @Override
  public boolean handBack() throws Exception {
    boolean handedBack = false;
    @Nullable Throwable failure = null;
    for (WorkSource part : stopped) {
      try {
        handedBack |= !part.finished().toCompletableFuture().isDone() && part.handBack();
      } catch (Throwable t) {
        failure = first(failure, t);
      }
    }
    raise(failure);
    return handedBack;
  }

  private static void raise(@Nullable Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw (Exception) failure;
    }
  }

  private static Throwable first(@Nullable Throwable known, Throwable next) {
    if (known == null) {
      return next;
    }
    known.addSuppressed(next);
    return known;
  }
}
