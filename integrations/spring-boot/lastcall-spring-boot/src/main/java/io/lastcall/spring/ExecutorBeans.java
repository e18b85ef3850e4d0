package io.lastcall.spring;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
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
  private static final Logger log = LoggerFactory.getLogger(ExecutorBeans.class);

  /** No getter returns it, and an application's own decorator must go on to work. */
  private static final String DECORATOR = "taskDecorator";

  /** Which makes the executors of the three channels. */
  private static final String STOMP =
      "org.springframework.messaging.simp.config.AbstractMessageBrokerConfiguration";

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
    DirectFieldAccessor fields = new DirectFieldAccessor(bean);
    if (!fields.isReadableProperty(DECORATOR)) {
      log.warn(
          "Tasks of '{}' are not counted, and the shutdown does not wait for them: {} has no field"
              + " {} here",
          name,
          bean.getClass().getName(),
          DECORATOR);
      return Optional.empty();
    }
    TaskDecorator own = (TaskDecorator) fields.getPropertyValue(DECORATOR);
    if (own instanceof CountedTasks) {
      return Optional.empty(); // a bean of two names
    }
    ProcessShutdown known = process.getObject();
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
    Method factory = factory(name);
    return factory != null && factory.getReturnType().isInterface();
  }

  /** Executors of STOMP's channels, too: a frame on its way is work, and so is its answer. */
  private boolean runsWork(String name) {
    return isApplications(name) || factoryClass(name).startsWith(STOMP);
  }

  /** Not schedulers that Spring makes for its own channels, whose heartbeats go on. */
  private boolean isApplications(String name) {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    if (!beans.containsBeanDefinition(name) || !beans.getMergedBeanDefinition(name).isSingleton()) {
      return false;
    }
    String by = factoryClass(name);
    return !by.startsWith("org.springframework.") || by.startsWith("org.springframework.boot.");
  }

  private String factoryClass(String name) {
    Method factory = factory(name);
    return factory == null ? "" : factory.getDeclaringClass().getName();
  }

  private @Nullable Method factory(String name) {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    return beans.containsBeanDefinition(name)
            && beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition made
        ? made.getResolvedFactoryMethod()
        : null;
  }
}
