package io.lastcall.examples.work.quartz;

import org.quartz.Scheduler;
import org.quartz.SchedulerException;

/** {@link QuartzOrders} without the library: a hook that shuts the scheduler down. */
public final class QuartzOrdersWithout {
  private QuartzOrdersWithout() {}

  public static void main(String[] args) throws SchedulerException {
    Scheduler scheduler = QuartzOrders.scheduler(args[0]);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(scheduler)));
    scheduler.start();
  }

  private static void shutDown(Scheduler scheduler) {
    try {
      scheduler.shutdown();
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }
}
