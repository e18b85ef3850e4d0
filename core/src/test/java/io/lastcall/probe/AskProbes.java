package io.lastcall.probe;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks probes whose checks may have to run, and waits. */
final class AskProbes {
  private AskProbes() {}

  static ProbeAnswer get(Probes probes, String target) {
    return ask(probes, ProbeRequest.of("GET", target, name -> null));
  }

  static ProbeAnswer ask(Probes probes, ProbeRequest request) {
    try {
      return probes.answer(request).toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("No answer", e);
    }
  }
}
