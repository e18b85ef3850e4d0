package io.lastcall.examples.work.poller;

import io.lastcall.examples.work.ConsumerContract;
import java.sql.SQLException;

class PollerTest extends ConsumerContract<TableBacklog> {
  PollerTest() throws SQLException {
    super(new TableBacklog(), Poller.class);
  }
}
