package io.lastcall.kubernetes;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The main of a container with 30 s declared, 15 s of them for routers unless it has none. */
final class ServedPod {
  private ServedPod() {}

  public static void main(String[] arguments) throws Exception {
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .gracePeriod(Duration.ofSeconds(30))
            .propagationDelay(Duration.ofSeconds(arguments[0].equals("unrouted") ? 0 : 15))
            .install();
    if (arguments[0].equals("busy")) {
      shutdown.step(Phase.DRAIN, "endless", context -> new CountDownLatch(1).await());
    }
    System.out.println("ready");
    new CountDownLatch(1).await();
  }
}
