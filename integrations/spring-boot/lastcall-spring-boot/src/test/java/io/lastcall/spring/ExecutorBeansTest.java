package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** What is counted of each kind of executor. */
@Timeout(120)
class ExecutorBeansTest {
  private static final List<Runnable> decorated = new CopyOnWriteArrayList<>();

  private final CountDownLatch release = new CountDownLatch(1);
  private final ConfigurableApplicationContext context =
      new SpringApplicationBuilder(Beans.class)
          .web(WebApplicationType.NONE)
          .run("--logging.level.root=warn");
  private final GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);

  @AfterEach
  void close() {
    release.countDown();
    context.close();
  }

  private void block() {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void assertCounted(String name, long expected) {
    assertEquals(expected, shutdown.work(name).inProgress());
  }

  private void awaitCounted(String name, long expected) {
    Awaitility.await().until(() -> shutdown.work(name).inProgress() == expected);
  }

  @Test
  void pool_runningAndQueuedTasks_areCountedAndTheApplicationsDecoratorWorks() {
    TaskExecutor pool = context.getBean("decorating", TaskExecutor.class);
    pool.execute(this::block);
    pool.execute(this::block);
    assertCounted("decorating", 2);
    assertEquals(2, decorated.size());
    release.countDown();
    awaitCounted("decorating", 0);
  }

  @Test
  void fullPool_byEachPolicy_countsNoTaskThatItDropped() {
    assertThrows(TaskRejectedException.class, () -> overfill("aborting"));
    overfill("discarding");
    overfill("discardingOldest");
    for (String name : List.of("aborting", "discarding", "discardingOldest")) {
      assertCounted(name, 2);
    }
    release.countDown();
    for (String name : List.of("aborting", "discarding", "discardingOldest")) {
      awaitCounted(name, 0);
    }
  }

  /** One thread, and one place in the queue. */
  private void overfill(String name) {
    for (int i = 0; i < 3; i++) {
      context.getBean(name, TaskExecutor.class).execute(this::block);
    }
  }

  @Test
  void threadForEachTask_runningTasks_areCounted() {
    context.getBean("threads", TaskExecutor.class).execute(this::block);
    assertCounted("threads", 1);
    release.countDown();
    awaitCounted("threads", 0);
  }

  @Test
  void scheduler_taskThatIsDueLater_isCountedOnlyWhileItRuns() {
    ThreadPoolTaskScheduler scheduler = context.getBean("scheduler", ThreadPoolTaskScheduler.class);
    var unused = scheduler.schedule(this::block, Instant.now().plus(Duration.ofHours(1)));
    CountDownLatch ran = new CountDownLatch(2);
    unused = scheduler.scheduleAtFixedRate(ran::countDown, Duration.ofMillis(1));
    Awaitility.await().until(() -> ran.getCount() == 0);
    scheduler.execute(this::block);
    scheduler.execute(this::block);
    Awaitility.await().until(() -> shutdown.work("scheduler").inProgress() == 2);
  }

  @Test
  void poolOfTheJdk_declaredByItsInterface_isCounted() {
    context.getBean("pool", ExecutorService.class).execute(this::block);
    assertCounted("pool", 1);
    release.countDown();
    awaitCounted("pool", 0);
  }

  @Test
  void poolOfTheJdk_declaredByItsClass_staysWhatItIs() {
    assertSame(Beans.CONCRETE, context.getBean(ThreadPoolExecutor.class));
  }

  @Test
  void secondContext_beanOfTheSameName_isCountedUnderItsOwn() {
    context.getBean("threads", TaskExecutor.class).execute(this::block);
    try (ConfigurableApplicationContext other =
        new SpringApplicationBuilder(Beans.class)
            .web(WebApplicationType.NONE)
            .run("--logging.level.root=warn")) {
      other.getBean("threads", TaskExecutor.class).execute(this::block);
      assertCounted("threads", 1);
      assertCounted("threads 2", 1);
    }
  }

  @Test
  void workDisabled_nothingIsCounted() {
    try (ConfigurableApplicationContext other =
        new SpringApplicationBuilder(Beans.class)
            .web(WebApplicationType.NONE)
            .run("--logging.level.root=warn", "--lastcall.work.enabled=false")) {
      other.getBean("threads", TaskExecutor.class).execute(this::block);
      assertTrue(shutdown.isIdle());
    }
  }

  /** None of them makes tasks. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Beans {
    static final ThreadPoolExecutor CONCRETE =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());

    @Bean
    static ThreadPoolTaskExecutor decorating() {
      ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
      pool.setTaskDecorator(
          task -> {
            decorated.add(task);
            return task;
          });
      return pool;
    }

    private static ThreadPoolTaskExecutor full(RejectedExecutionHandler policy) {
      ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
      pool.setMaxPoolSize(1);
      pool.setQueueCapacity(1);
      pool.setRejectedExecutionHandler(policy);
      return pool;
    }

    @Bean
    static ThreadPoolTaskExecutor aborting() {
      return full(new ThreadPoolExecutor.AbortPolicy());
    }

    @Bean
    static ThreadPoolTaskExecutor discarding() {
      return full(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Bean
    static ThreadPoolTaskExecutor discardingOldest() {
      return full(new ThreadPoolExecutor.DiscardOldestPolicy());
    }

    @Bean
    static SimpleAsyncTaskExecutor threads() {
      return new SimpleAsyncTaskExecutor();
    }

    @Bean
    static ThreadPoolTaskScheduler scheduler() {
      return new ThreadPoolTaskScheduler();
    }

    @Bean
    static ExecutorService pool() {
      return Executors.newSingleThreadExecutor();
    }

    @Bean(destroyMethod = "")
    static ThreadPoolExecutor concrete() {
      return CONCRETE;
    }
  }
}
