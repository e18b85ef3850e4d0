package io.lastcall.examples.work.quartz;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.work.WorkSource;
import java.util.Properties;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.impl.StdSchedulerFactory;

/** Orders that are jobs of Quartz, in a database. */
public final class QuartzOrders implements Job {

  /** The only argument is the database's URL. */
  public static void main(String[] args) throws SchedulerException {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Scheduler scheduler = scheduler(args[0]);
    shutdown.workSource("orders", WorkSource.ofBlockingStop(() -> stop(scheduler)));
    scheduler.start();
  }

  /** No trigger fires from its first line on; it returns when running jobs have ended. */
  private static void stop(Scheduler scheduler) throws SchedulerException {
    scheduler.shutdown(true);
    Orders.printStopped();
  }

  static Scheduler scheduler(String url) throws SchedulerException {
    Properties config = new Properties();
    config.put("org.quartz.scheduler.instanceName", "orders");
    config.put("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    config.put("org.quartz.threadPool.threadCount", "1");
    config.put("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    config.put("org.quartz.jobStore.dataSource", "orders");
    config.put("org.quartz.dataSource.orders.provider", "hikaricp");
    config.put("org.quartz.dataSource.orders.driver", "org.h2.Driver");
    config.put("org.quartz.dataSource.orders.URL", url);
    return new StdSchedulerFactory(config).getScheduler();
  }

  @Override
  public void execute(JobExecutionContext context) throws JobExecutionException {
    try {
      Orders.process(context.getJobDetail().getKey().getName());
    } catch (InterruptedException e) {
      throw new JobExecutionException("Interrupted", e);
    }
  }
}
