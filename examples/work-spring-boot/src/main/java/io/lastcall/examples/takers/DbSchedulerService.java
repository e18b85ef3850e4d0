package io.lastcall.examples.takers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** db-scheduler executes what is due in a table, one task at a time. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class DbSchedulerService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(DbSchedulerService.class, arguments);
  }

  @Bean
  OneTimeTask<Void> order(Pieces pieces) {
    return Tasks.oneTime("order").execute((instance, context) -> pieces.work(instance.getId()));
  }

  @Bean(initMethod = "start", destroyMethod = "stop")
  Scheduler orders(DataSource database, OneTimeTask<Void> order) {
    return Scheduler.create(database, order)
        .threads(1)
        .pollingInterval(Duration.ofMillis(200))
        .build();
  }
}
