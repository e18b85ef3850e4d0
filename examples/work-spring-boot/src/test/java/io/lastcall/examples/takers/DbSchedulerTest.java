package io.lastcall.examples.takers;

import org.junit.jupiter.api.Tag;

@Tag("all")
class DbSchedulerTest extends BacklogContract {
  DbSchedulerTest() throws Exception {
    super(DbSchedulerService.class, Backlogs.dbScheduler());
  }
}
