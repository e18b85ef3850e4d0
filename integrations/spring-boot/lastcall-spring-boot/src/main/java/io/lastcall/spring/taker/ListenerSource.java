package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Listeners of messages, which Spring stops by a callback: it comes when the last one is idle. Some
 * containers call it back before their stop returns, and others must not wait for that.
 */
final class ListenerSource implements WorkSource {
  private final SmartLifecycle listeners;
  private final Consumer<Boolean> finishing;
  private final BooleanSupplier serving;
  private volatile @Nullable WorkSource stopping;

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
  public void stopTaking() throws Exception {
    if (listeners.isRunning() && !serving.getAsBoolean()) {
      WorkSource stop = WorkSource.ofBlockingStop(this::stop);
      stopping = stop;
      stop.stopTaking();
    }
  }

  private void stop() throws InterruptedException {
    CountDownLatch idle = new CountDownLatch(1);
    finishing.accept(true);
    listeners.stop(idle::countDown);
    idle.await();
  }

  /** Some registries without a container never call back, and are not asked to. */
  @Override
  public CompletionStage<?> finished() {
    WorkSource stop = stopping;
    return stop == null ? CompletableFuture.completedFuture(null) : stop.finished();
  }

  @Override
  public boolean handBack() {
    finishing.accept(false);
    return false;
  }
}
