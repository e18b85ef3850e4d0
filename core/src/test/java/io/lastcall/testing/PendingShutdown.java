package io.lastcall.testing;

import io.lastcall.probe.ProbeSubject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** What the probes tell about, played by a test: propagation ends when it says so. */
public final class PendingShutdown implements ProbeSubject {
  public final CompletableFuture<Void> propagated = new CompletableFuture<>();
  public final AtomicInteger preStops = new AtomicInteger();
  public volatile boolean outOfService;

  @Override
  public boolean isStarted() {
    return true;
  }

  @Override
  public Optional<String> unready() {
    return outOfService ? Optional.of("out of service") : Optional.empty();
  }

  @Override
  public boolean isEnding() {
    return preStops.get() > 0;
  }

  @Override
  public CompletionStage<?> preStop(Wait wait) {
    preStops.incrementAndGet();
    return propagated;
  }

  @Override
  public void takeOutOfService(boolean on) {
    outOfService = on;
  }
}
