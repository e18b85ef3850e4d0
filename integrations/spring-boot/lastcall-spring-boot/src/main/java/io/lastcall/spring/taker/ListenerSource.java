package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.springframework.context.SmartLifecycle;

/** Listeners of messages, which Spring stops by a callback: it comes when the last one is idle. */
final class ListenerSource implements WorkSource {
  private final SmartLifecycle listeners;
  private final Consumer<Boolean> finishing;
  private final BooleanSupplier serving;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  /**
   * @param finishing given true before they stop, so that they finish what they have taken, however
   *     long that takes; and false when DRAIN has timed out
   */
  ListenerSource(SmartLifecycle listeners, Consumer<Boolean> finishing) {
    this(listeners, finishing, () -> false);
  }

  /**
   * @param serving whether they receive the answers to what this process asks for: requests need
   *     those until they are done, so such listeners stop as the context closes. Asked at the
   *     trigger, since a container is made before its listener is set
   */
  ListenerSource(SmartLifecycle listeners, Consumer<Boolean> finishing, BooleanSupplier serving) {
    this.listeners = listeners;
    this.finishing = finishing;
    this.serving = serving;
  }

  @Override
  public void stopTaking() {
    if (!listeners.isRunning() || serving.getAsBoolean()) {
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
