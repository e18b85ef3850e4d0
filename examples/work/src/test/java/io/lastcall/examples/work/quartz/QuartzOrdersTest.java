package io.lastcall.examples.work.quartz;

import io.lastcall.examples.work.TakerContract;

class QuartzOrdersTest extends TakerContract<QuartzBacklog> {
  QuartzOrdersTest() throws Exception {
    super(new QuartzBacklog(), QuartzOrders.class);
  }
}
