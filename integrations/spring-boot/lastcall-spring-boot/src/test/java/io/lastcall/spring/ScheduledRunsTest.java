package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.GracefulShutdown;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** A run counts once, whoever counts it. */
@Timeout(120)
class ScheduledRunsTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  LastcallAutoConfiguration.class, LastcallWorkAutoConfiguration.class))
          .withUserConfiguration(Job.class);

  @Test
  void schedulerThatIsCounted_countsTheRun() {
    assertRunIsCounted(
        runner.withBean("pool", ThreadPoolTaskScheduler.class, ThreadPoolTaskScheduler::new),
        "pool",
        "@Scheduled");
  }

  @Test
  void poolOfTheJdk_countsTheRun() {
    assertRunIsCounted(runner.withUserConfiguration(JdkPool.class), "pool", "@Scheduled");
  }

  @Test
  void schedulerOfSpringsOwn_theRunIsCountedByItself() {
    assertRunIsCounted(runner, "@Scheduled", "pool");
  }

  @Test
  void withoutPublishers_thereIsNoSource() {
    runner.run(
        context ->
            assertFalse(
                context
                    .getBean(ProcessShutdown.class)
                    .isStoppedFirst(context.getBean(ScheduledAnnotationBeanPostProcessor.class))));
  }

  private static void assertRunIsCounted(ApplicationContextRunner runner, String by, String notBy) {
    runner.run(
        context -> {
          GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
          Job job = context.getBean(Job.class);
          job.began.await();
          assertEquals(1, shutdown.work(by).inProgress());
          assertEquals(0, shutdown.work(notBy).inProgress());
          job.release.countDown();
          Awaitility.await().until(() -> shutdown.work(by).finished(), ended -> ended == 1);
          assertEquals(0, shutdown.work(notBy).finished());
        });
  }

  @Configuration(proxyBeanMethods = false)
  static class JdkPool {
    @Bean
    ScheduledExecutorService pool() {
      return Executors.newScheduledThreadPool(1);
    }
  }

  /** Runs once in the time of a test. */
  @Configuration(proxyBeanMethods = false)
  @EnableScheduling
  static class Job {
    final CountDownLatch began = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);

    @Scheduled(fixedDelay = 3_600_000)
    void run() throws InterruptedException {
      began.countDown();
      release.await();
    }
  }
}
