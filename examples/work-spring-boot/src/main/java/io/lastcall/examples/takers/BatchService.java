package io.lastcall.examples.takers;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.support.AbstractItemCountingItemStreamItemReader;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Batch: a request, or Spring Boot's runner, starts a job of many chunks of one piece. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import({Pieces.class, BatchService.Jobs.class})
public class BatchService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(BatchService.class, arguments);
  }

  @Bean
  Job orders(JobRepository repository, Step step) {
    return new JobBuilder("orders", repository).start(step).build();
  }

  @Bean
  Step step(JobRepository repository, Orders orders, Pieces pieces) {
    return new StepBuilder("step", repository)
        .<String, String>chunk(1)
        .reader(orders)
        .writer(chunk -> chunk.forEach(pieces::work))
        .build();
  }

  @Bean
  Orders reader(@Value("${job.orders:50}") int orders) {
    return new Orders(orders);
  }

  /** Reads on where an execution before it was stopped. */
  static final class Orders extends AbstractItemCountingItemStreamItemReader<String> {
    Orders(int orders) {
      setName("orders");
      setMaxItemCount(orders);
    }

    @Override
    protected String doRead() {
      return "order-" + (getCurrentItemCount() - 1);
    }

    @Override
    protected void doOpen() {}

    @Override
    protected void doClose() {}
  }

  /** Runs the job in the request. */
  @RestController
  static class Jobs {
    private final JobOperator operator;
    private final Job orders;

    Jobs(JobOperator operator, Job orders) {
      this.operator = operator;
      this.orders = orders;
    }

    @GetMapping("/job")
    String job() throws Exception {
      return operator.start(orders, new JobParameters()).getStatus().name();
    }
  }
}
