package io.lastcall.examples.takers;

import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** Quartz executes one job at a time: what its store in a database has, or one each second. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class QuartzService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(QuartzService.class, arguments);
  }

  @Bean
  @ConditionalOnProperty(
      name = "spring.quartz.job-store-type",
      havingValue = "memory",
      matchIfMissing = true)
  JobDetail order() {
    return JobBuilder.newJob(Order.class).withIdentity("order").storeDurably().build();
  }

  @Bean
  @ConditionalOnProperty(
      name = "spring.quartz.job-store-type",
      havingValue = "memory",
      matchIfMissing = true)
  Trigger often(JobDetail order) {
    return TriggerBuilder.newTrigger()
        .forJob(order)
        .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever())
        .build();
  }

  /** A piece of work. */
  static final class Order implements Job {
    private final Pieces pieces;

    Order(Pieces pieces) {
      this.pieces = pieces;
    }

    @Override
    public void execute(JobExecutionContext context) {
      JobKey key = context.getJobDetail().getKey();
      pieces.work("order".equals(key.getName()) ? context.getFireInstanceId() : key.getName());
    }
  }
}
