package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds others that close the context while the JVM exits, Spring's own hook above all, until the
 * phases have come to the context: routers send, and requests are in flight. The hooks of a JVM run
 * concurrently, and ours begins the phases if nothing else has.
 */
final class HeldClose {
  private final GracefulShutdown shutdown;
  private final CountDownLatch closable = new CountDownLatch(1);

  HeldClose(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  /** Lets others close the context. Idempotent. */
  void release() {
    closable.countDown();
  }

  /**
   * Returns at once unless the JVM exits. The halter bounds the wait. It looks each second whether
   * the shutdown was uninstalled. The wait has a timeout because Spring interrupts a thread that
   * waits without one.
   */
  void await() {
    boolean interrupted = false;
    boolean done = !isJvmExiting();
    while (!done) {
      try {
        done = closable.await(1, TimeUnit.SECONDS) || !shutdown.isShuttingDown();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Then it takes no hook any more. */
  private static boolean isJvmExiting() {
    Thread none = new Thread("lastcall-no-hook");
    try {
      Runtime.getRuntime().addShutdownHook(none);
      return !Runtime.getRuntime().removeShutdownHook(none);
    } catch (IllegalStateException exiting) {
      return true;
    }
  }
}
