package io.lastcall.spring.work;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.work.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** A job as Spring Boot's users write it: a runner, and the process ends with its exit code. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(JobApplication.Nightly.class)
public class JobApplication {
  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    ConfigurableApplicationContext context = SpringApplication.run(JobApplication.class, arguments);
    if (!context.getEnvironment().getProperty("test.runner", Boolean.class, true)) {
      context.getBean(Nightly.class).work();
    }
    goOn(context.getEnvironment().getProperty("test.busy", Duration.class, Duration.ZERO));
    boolean asks = context.getEnvironment().getProperty("test.asks", Boolean.class, true);
    System.exit(asks ? SpringApplication.exit(context) : 3);
  }

  /** As a {@code main} does that has its classes still to load. */
  private static void goOn(Duration busy) {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < busy.toNanos()) {
      Thread.onSpinWait();
    }
  }

  @Bean
  @ConditionalOnBooleanProperty(name = "test.runner", matchIfMissing = true)
  ApplicationRunner runner(Nightly nightly) {
    return arguments -> nightly.work();
  }

  /** Works through its items, or until a SIGTERM. */
  static class Nightly {
    private final GracefulShutdown shutdown;
    private final Path checkpoint;
    private final int items;
    private final int broken;

    Nightly(GracefulShutdown shutdown, Environment environment) {
      this.shutdown = shutdown;
      checkpoint = Path.of(environment.getRequiredProperty("test.checkpoint"));
      items = environment.getRequiredProperty("test.items", Integer.class);
      broken = environment.getProperty("test.broken", Integer.class, -1);
      Duration last = environment.getProperty("test.last-step", Duration.class, Duration.ZERO);
      shutdown.step(Step.of(Phase.EXIT, "last", context -> TaskApplication.pause(last)));
    }

    void work() throws Exception {
      try (Job job = shutdown.beginJob("nightly")) {
        int next = Files.exists(checkpoint) ? Integer.parseInt(Files.readString(checkpoint)) : 0;
        while (next < items && !job.stopRequested()) {
          process(next);
          next++;
        }
        int left = next;
        if (left < items) {
          job.handBack(() -> save(left));
        }
      }
    }

    private void process(int item) {
      if (item == broken) {
        throw new IllegalStateException("item " + item + " cannot be processed");
      }
      TaskApplication.pause(Duration.ofMillis(100));
      System.out.println("processed " + item + ".");
    }

    private void save(int next) throws IOException {
      Files.writeString(checkpoint, Integer.toString(next));
    }
  }
}
