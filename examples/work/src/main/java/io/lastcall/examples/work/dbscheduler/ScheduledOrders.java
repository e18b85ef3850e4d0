package io.lastcall.examples.work.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;

/** Each order is a task of db-scheduler's. */
public final class ScheduledOrders implements WorkSource {
  private static final int THREADS = 2;
  private static final long HAND_BACK_MILLIS = 800;

  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private final Scheduler scheduler;

  private ScheduledOrders(JdbcConnectionPool database) {
    OneTimeTask<Void> order =
        Tasks.oneTime("order")
            .onFailure(this::retry)
            .execute((instance, context) -> process(instance.getId()));
    scheduler =
        Scheduler.create(database, order)
            .threads(THREADS)
            .executorService(pool)
            .pollingInterval(Duration.ofMillis(500))
            .build();
  }

  /** The only argument is the database's URL. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    JdbcConnectionPool database = JdbcConnectionPool.create(args[0], "", "");
    shutdown.step(Phase.CLOSE_CONNECTIONS, "database", context -> database.dispose());
    ScheduledOrders orders = new ScheduledOrders(database);
    shutdown.workSource("orders", orders);
    orders.scheduler.start();
  }

  private static void process(String order) {
    try {
      Orders.process(order);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** A task that was handed back is due at once, for another process. */
  private void retry(ExecutionComplete failed, ExecutionOperations<Void> operations) {
    boolean handedBack = pool.isShutdown();
    operations.reschedule(
        failed, handedBack ? Instant.now() : Instant.now().plus(Duration.ofMinutes(5)));
  }

  /** {@code stop} lets no task begin from its first line on, and returns when those begun ended. */
  @Override
  public void stopTaking() {
    Thread stop = new Thread(this::stop, "stop orders");
    stop.setDaemon(true);
    stop.start();
  }

  private void stop() {
    scheduler.stop();
    Orders.printStopped();
    finished.complete(null);
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** Without it the tasks belong to this process until it has missed several heartbeats. */
  @Override
  public boolean handBack() throws InterruptedException {
    pool.shutdownNow();
    return pool.awaitTermination(HAND_BACK_MILLIS, TimeUnit.MILLISECONDS);
  }
}
