package io.lastcall.examples.work.dbscheduler;

import io.lastcall.examples.work.ConsumerContract;
import java.sql.SQLException;

class ScheduledOrdersTest extends ConsumerContract<TaskBacklog> {
  ScheduledOrdersTest() throws SQLException {
    super(new TaskBacklog(), ScheduledOrders.class);
  }
}
