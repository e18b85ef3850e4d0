package io.lastcall.spring;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.spring.internals.SpringInternals;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Counts what the application's executors run. Spring's stay the beans they are; one of the JDK's
 * is replaced where its {@code @Bean} method returns an interface, so that no injection point needs
 * its class.
 */
final class ExecutorBeans implements BeanPostProcessor {
  private final ObjectProvider<ProcessShutdown> process;
  private final ConfigurableApplicationContext context;

  ExecutorBeans(ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    this.process = process;
    this.context = context;
  }

  /** Before a pool is made, which takes the decorator it has then. */
  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (bean instanceof ThreadPoolTaskExecutor executor && runsWork(name)) {
      counted(bean, name, executor::getThreadPoolExecutor).ifPresent(executor::setTaskDecorator);
    } else if (bean instanceof SimpleAsyncTaskExecutor executor && runsWork(name)) {
      // A throttled one may reject the task after this, and has its caller wait until it begins.
      counted(bean, name, () -> null)
          .ifPresent(
              tasks ->
                  executor.setTaskDecorator(
                      task ->
                          executor.isThrottleActive()
                              ? tasks.eachRun(task)
                              : tasks.decorate(task)));
    } else if (bean instanceof ThreadPoolTaskScheduler scheduler
        && isApplications(name)
        && !removesCancelled(scheduler)) {
      SpringInternals.checkClass(
          SpringInternals.TRIGGER_RUN,
          "a run of a Trigger that is due after DRAIN counts as refused");
      counted(bean, name, scheduler::getScheduledThreadPoolExecutor)
          .ifPresent(
              tasks ->
                  scheduler.setTaskDecorator(
                      task -> isDueLater(task) ? tasks.eachRun(task) : tasks.decorate(task)));
    }
    return bean;
  }

  /** With a decorator Spring would keep cancelled tasks in the queue until they are due. */
  @SuppressWarnings("deprecation") // nothing else says so before the pool is made
  private static boolean removesCancelled(ThreadPoolTaskScheduler scheduler) {
    return scheduler.isRemoveOnCancelPolicy();
  }

  private static boolean isDueLater(Runnable task) {
    return task instanceof RunnableScheduledFuture<?> scheduled
        && (scheduled.isPeriodic() || scheduled.getDelay(TimeUnit.NANOSECONDS) > 0);
  }

  private Optional<CountedTasks> counted(
      Object bean, String name, Supplier<@Nullable ExecutorService> pool) {
    ProcessShutdown known = process.getObject();
    if (!SpringInternals.TASK_DECORATOR.isIn(bean)) {
      known.step(
          Step.of(
              Phase.DRAIN,
              "tasks of " + name,
              context -> {
                throw SpringInternals.TASK_DECORATOR.missing(bean);
              }));
      return Optional.empty();
    }
    TaskDecorator own = (TaskDecorator) SpringInternals.TASK_DECORATOR.of(bean);
    if (own instanceof CountedTasks) {
      return Optional.empty(); // a bean of two names
    }
    // The shutdown keeps what it counts; of a context that is closed it is to keep nothing else.
    AtomicReference<@Nullable Supplier<@Nullable ExecutorService>> open =
        new AtomicReference<>(pool);
    known.atRelease(() -> open.set(null));
    return Optional.of(new CountedTasks(known, name, own, () -> interrupt(open.get())));
  }

  private static List<Runnable> interrupt(@Nullable Supplier<@Nullable ExecutorService> open) {
    ExecutorService pool = open == null ? null : open.get();
    return pool == null ? List.of() : pool.shutdownNow();
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof ThreadPoolTaskExecutor executor && runsWork(name)) {
      CountedTasks.releaseRejected(executor.getThreadPoolExecutor(), name);
    } else if (bean instanceof ExecutorService executor
        && runsWork(name)
        && isDeclaredByInterface(name)
        && !isCounted(executor)) {
      ProcessShutdown known = process.getObject();
      return bean instanceof ScheduledExecutorService scheduler
          ? known.scheduler(name, scheduler)
          : known.executor(name, executor);
    }
    return bean;
  }

  /** Returns whether the library counts the tasks of a pool of the JDK. */
  static boolean isCounted(ExecutorService pool) {
    return pool.getClass().getName().startsWith("io.lastcall.");
  }

  private boolean isDeclaredByInterface(String name) {
    Method factory = origin(name).factory();
    return factory != null && factory.getReturnType().isInterface();
  }

  /** Executors of STOMP's channels, too: a frame on its way is work, and so is its answer. */
  private boolean runsWork(String name) {
    return isApplications(name) || origin(name).factoryClass().startsWith(SpringInternals.STOMP);
  }

  /** Not schedulers that Spring makes for its own channels, whose heartbeats go on. */
  private boolean isApplications(String name) {
    return origin(name).isMadeForApplication();
  }

  private BeanOrigin origin(String name) {
    return new BeanOrigin(context.getBeanFactory(), name);
  }
}
