package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.springframework.context.SmartLifecycle;

/** Listeners of messages, which Spring stops by a callback: it comes when the last one is idle. */
final class ListenerSource implements WorkSource {
  private final SmartLifecycle listeners;
  private final Consumer<Boolean> finishing;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  /**
   * @param finishing given true before they stop, so that they finish what they have taken, however
   *     long that takes; and false when DRAIN has timed out
   */
  ListenerSource(SmartLifecycle listeners, Consumer<Boolean> finishing) {
    this.listeners = listeners;
    this.finishing = finishing;
  }

  @Override
  public void stopTaking() {
    if (!listeners.isRunning()) {
      finished.complete(null); // some registries without a container never call back
      return;
    }
    try {
      finishing.accept(true);
      listeners.stop(() -> finished.complete(null));
    } catch (RuntimeException | Error e) {
      finished.completeExceptionally(e);
      throw e;
    }
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  @Override
  public boolean handBack() {
    finishing.accept(false);
    return false;
  }
}
