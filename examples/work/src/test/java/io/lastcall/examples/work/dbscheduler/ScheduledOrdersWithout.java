package io.lastcall.examples.work.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.lastcall.examples.work.Orders;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;

/** {@link ScheduledOrders} without the library: with db-scheduler's own shutdown hook. */
public final class ScheduledOrdersWithout {
  private ScheduledOrdersWithout() {}

  public static void main(String[] args) {
    Scheduler.create(
            JdbcConnectionPool.create(args[0], "", ""),
            Tasks.oneTime("order").execute((instance, context) -> process(instance.getId())))
        .threads(2)
        .pollingInterval(Duration.ofMillis(500))
        .registerShutdownHook()
        .build()
        .start();
  }

  private static void process(String order) {
    try {
      Orders.process(order);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
