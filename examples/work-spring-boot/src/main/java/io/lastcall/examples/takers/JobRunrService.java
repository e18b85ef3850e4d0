package io.lastcall.examples.takers;

import org.jobrunr.scheduling.JobScheduler;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** JobRunr runs jobs that its store in a database has. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class JobRunrService {
  private static final int JOBS = 20;

  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(JobRunrService.class, arguments);
  }

  @Bean
  Orders orders(Pieces pieces) {
    return new Orders(pieces);
  }

  @Bean
  ApplicationRunner enqueue(JobScheduler scheduler) {
    return arguments -> {
      for (int i = 0; i < JOBS; i++) {
        String order = "order-" + i;
        scheduler.<Orders>enqueue(orders -> orders.process(order));
      }
    };
  }

  /** A job of JobRunr's is a call of a public method. */
  public static final class Orders {
    private final Pieces pieces;

    Orders(Pieces pieces) {
      this.pieces = pieces;
    }

    /** Works on one. */
    public void process(String order) {
      pieces.work(order);
    }
  }
}
