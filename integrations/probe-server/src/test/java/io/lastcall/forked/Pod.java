package io.lastcall.forked;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.phase.Phase;
import java.util.concurrent.CountDownLatch;

/**
 * The main of a pod with every mechanism that a kubelet has; its settings are system properties. If
 * the first argument is "held" it drains until it reads a newline.
 */
final class Pod {
  private Pod() {}

  public static void main(String[] arguments) throws Exception {
    GracefulShutdownBuilder builder =
        GracefulShutdown.builder()
            .step(Phase.CLOSE_CONNECTIONS, "pool", context -> System.out.println("pool closed"));
    if (arguments[0].equals("held")) {
      builder.step(Phase.DRAIN, "newline", context -> awaitNewline());
    }
    builder.install();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  private static void awaitNewline() throws Exception {
    while (System.in.read() != '\n') {
      System.out.println("not yet");
    }
  }
}
