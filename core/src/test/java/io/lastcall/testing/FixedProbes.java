package io.lastcall.testing;

import io.lastcall.probe.ProbeSubject;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.time.Ticker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Probes of something that never shuts down. */
public record FixedProbes(BooleanSupplier started, BooleanSupplier ready) implements ProbeSubject {

  /** Returns probes that pass as the two suppliers say. */
  public static Probes of(BooleanSupplier started, BooleanSupplier ready) {
    return new Probes(new FixedProbes(started, ready), ProbeToken.none(), Ticker.system());
  }

  @Override
  public boolean isStarted() {
    return started.getAsBoolean();
  }

  @Override
  public Optional<String> unready() {
    return ready.getAsBoolean() ? Optional.empty() : Optional.of("shutting down");
  }

  @Override
  public boolean isEnding() {
    return false;
  }

  @Override
  public CompletionStage<?> preStop(Wait wait) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void takeOutOfService(boolean on) {}
}
