package io.lastcall.spring.work;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.work.Job;
import io.lastcall.work.WorkSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Works in a runner, before it is ready, as a Job of Kubernetes does. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class RunnerApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(RunnerApplication.class, arguments);
  }

  /** Stops between two steps, and saves how far it has come. */
  @Bean
  @ConditionalOnProperty(name = "test.shape", havingValue = "job")
  CommandLineRunner night(GracefulShutdown shutdown) {
    return arguments -> {
      try (Job job = shutdown.beginJob("night")) {
        System.out.println("job begun");
        while (!job.stopRequested()) {
          TaskApplication.pause(Duration.ofMillis(50));
        }
        job.handBack(() -> System.out.println("saved"));
      }
    };
  }

  @Bean
  @ConditionalOnProperty(name = "test.shape", havingValue = "source")
  Orders orders() {
    return new Orders();
  }

  /** Takes one order for as long as nobody stops it, and is in the middle of one when asked. */
  static class Orders implements WorkSource, CommandLineRunner {
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    @Override
    public void run(String... arguments) {
      System.out.println("order begun");
      stopped.join();
      TaskApplication.pause(Duration.ofSeconds(1));
      System.out.println("order done");
      finished.complete(null);
    }

    @Override
    public void stopTaking() {
      System.out.println("takes nothing more");
      stopped.complete(null);
    }

    @Override
    public CompletionStage<?> finished() {
      return finished;
    }
  }

  /** Has periodic tasks and, if asked, one that is due when DRAIN is over. */
  @Configuration(proxyBeanMethods = false)
  @EnableScheduling
  @ConditionalOnProperty(name = "test.shape", havingValue = "late")
  static class Late {
    private final TaskScheduler scheduler;
    private final boolean retries;

    Late(TaskScheduler scheduler, Environment environment) {
      this.scheduler = scheduler;
      retries = environment.getProperty("test.retry", Boolean.class, false);
    }

    @Scheduled(fixedRate = 20)
    void tick() {}

    @Scheduled(cron = "* * * * * *")
    void everySecond() {}

    @Bean
    CommandLineRunner cleaning() {
      return arguments -> {
        var periodic = scheduler.scheduleAtFixedRate(() -> {}, Duration.ofMillis(20));
        System.out.println("all scheduled: " + periodic);
      };
    }

    /** For long enough that each of the periodic ones is due. */
    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    void close() {
      if (retries) {
        var unused =
            scheduler.schedule(() -> System.out.println("retried"), Instant.now().plusMillis(100));
      }
      TaskApplication.pause(Duration.ofMillis(1_500));
    }
  }
}
