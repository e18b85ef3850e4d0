package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.plan.ShutdownPlan;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;

/**
 * Keeps the log until it has the report. A job's {@code main} calls {@code System.exit} as its
 * runner returns, in the midst of a shutdown: Spring Boot's hook, which ends the log, runs
 * concurrently with what is left of it.
 */
final class LogUntilReport {
  private static final Logger log = LoggerFactory.getLogger(LogUntilReport.class);

  private LogUntilReport() {}

  /** Spring Boot runs what was added last first: before the end of the log. */
  static void of(GracefulShutdown shutdown) {
    SpringApplication.getShutdownHandlers().add(() -> await(shutdown));
  }

  /** The context is closed: what follows are steps after it, EXIT and the report. */
  private static void await(GracefulShutdown shutdown) {
    ShutdownPlan plan = shutdown.plan();
    Duration most = plan.closeTimeout().plus(plan.exitTimeout()).plus(plan.reserve());
    if (shutdown.isShuttingDown()) {
      try {
        shutdown.completion().get(most.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        log.debug("The log ends without the report", e);
      }
    }
  }
}
