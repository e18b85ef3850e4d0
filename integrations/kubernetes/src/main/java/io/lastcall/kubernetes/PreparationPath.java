package io.lastcall.kubernetes;

import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.spi.Extension;
import io.lastcall.time.Ticker;
import java.util.List;

/** Offers each {@link Preparation} on the probes' port, at {@code /prepare}. Found by core. */
public final class PreparationPath implements Extension {
  /** For {@link java.util.ServiceLoader}. */
  public PreparationPath() {}

  @Override
  public List<Setting<?>> settings() {
    return List.of();
  }

  @Override
  public Running start(ShutdownPlan plan, Probes probes, Ticker ticker) {
    return new Preparations(
        probes,
        ticker,
        OwnPod.watch(plan, System.getenv(), ticker)
            .<OwnDeletion>map(watch -> watch)
            .orElse(() -> false));
  }
}
