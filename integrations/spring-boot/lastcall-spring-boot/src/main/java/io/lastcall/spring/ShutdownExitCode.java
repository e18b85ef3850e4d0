package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import java.util.concurrent.ExecutionException;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * The code that {@code SpringApplication.exit} returns while a shutdown runs is the shutdown's: a
 * job whose runner has handed back and returned must not end with 0, which a Kubernetes Job takes
 * for done. It waits until that code is known. A code of the application's own that is asked for
 * after this one counts where the shutdown's is 0.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ShutdownExitCode implements ExitCodeGenerator {
  private final GracefulShutdown shutdown;

  ShutdownExitCode(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  @Override
  public int getExitCode() {
    if (!shutdown.isShuttingDown()) {
      return 0;
    }
    try {
      return shutdown.completion().get().exitCode();
    } catch (ExecutionException uninstalled) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
