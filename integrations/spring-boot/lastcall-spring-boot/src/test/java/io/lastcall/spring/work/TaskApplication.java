package io.lastcall.spring.work;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Five times a second a task begins that inserts into something at its end. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableAsync
@EnableScheduling
@Import({TaskApplication.Ledger.class, TaskApplication.Mails.class, TaskApplication.Ticks.class})
public class TaskApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(TaskApplication.class, arguments);
  }

  /** With a task that takes as long as others, which nothing else waits for. */
  @Bean
  @ConditionalOnProperty("test.pool")
  ExecutorService pool() {
    return Executors.newSingleThreadExecutor();
  }

  @Bean
  @ConditionalOnProperty("test.pool")
  ApplicationRunner poolTask(ExecutorService pool, Ledger ledger) {
    return arguments ->
        pool.execute(
            () -> {
              pause(Duration.ofSeconds(5));
              ledger.insert("pool task");
            });
  }

  static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As a data source: gone with the context. */
  static class Ledger implements AutoCloseable {
    private volatile boolean closed;

    void insert(String what) {
      if (closed) {
        throw new IllegalStateException("the ledger is closed");
      }
      System.out.println("inserted " + what);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** What takes its time. */
  static class Mails {
    private final Ledger ledger;
    private final Duration takes;

    Mails(Ledger ledger, Environment environment) {
      this.ledger = ledger;
      takes = Duration.ofSeconds(environment.getProperty("test.seconds", Long.class, 2L));
    }

    @Async
    void send(int number) {
      System.out.println("mail begun " + number);
      pause(takes);
      ledger.insert("mail " + number);
    }
  }

  /** What begins them, and takes longer than it may for the last one. */
  static class Ticks {
    private final Mails mails;
    private final AtomicInteger number = new AtomicInteger();

    Ticks(Mails mails) {
      this.mails = mails;
    }

    @Scheduled(fixedRate = 200)
    void tick() {
      System.out.println("tick");
      mails.send(number.incrementAndGet());
    }

    @Scheduled(fixedDelay = 10)
    void slow() {
      System.out.println("slow begun");
      pause(Duration.ofSeconds(3));
      System.out.println("slow ended");
    }
  }
}
