package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.core.QuartzSchedulerResources;
import org.quartz.spi.JobStore;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;

/**
 * Quartz. In standby no trigger fires, but those that are due within milliseconds; jobs that
 * execute go on, also where Spring would not wait for them. A scheduler that waits for a free
 * thread looks for standby only after it has fired the next trigger: so its store has none for it
 * any more.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({Scheduler.class, SchedulerFactoryBean.class})
final class QuartzTaker {
  @Bean
  static TakerBeans lastcallQuartz(ObjectProvider<Takers> takers) {
    Set<Scheduler> known = ConcurrentHashMap.newKeySet();
    return new TakerBeans(takers, bean -> source(bean, known));
  }

  /** The factory is the bean that the context starts, whether its scheduler is asked for or not. */
  private static @Nullable WorkSource source(Object bean, Set<Scheduler> known) {
    Object candidate = bean instanceof SchedulerFactoryBean factory ? factory.getScheduler() : bean;
    return candidate instanceof Scheduler scheduler && known.add(scheduler)
        ? WorkSource.ofCounted(() -> stop(scheduler), () -> executing(scheduler))
        : null;
  }

  private static void stop(Scheduler scheduler) throws SchedulerException {
    try {
      emptyStore(scheduler);
    } finally {
      scheduler.standby();
    }
  }

  private static void emptyStore(Scheduler scheduler) {
    if (SpringInternals.QUARTZ_STORE.isIn(scheduler)
        && SpringInternals.QUARTZ_STORE.of(scheduler)
            instanceof QuartzSchedulerResources resources) {
      resources.setJobStore(emptied(resources.getJobStore()));
    }
  }

  private static JobStore emptied(JobStore store) {
    return (JobStore)
        Proxy.newProxyInstance(
            JobStore.class.getClassLoader(),
            new Class<?>[] {JobStore.class},
            (proxy, method, arguments) ->
                method.getName().equals("acquireNextTriggers")
                    ? List.of()
                    : AopUtils.invokeJoinpointUsingReflection(
                        store, method, arguments == null ? new Object[0] : arguments));
  }

  private static long executing(Scheduler scheduler) {
    try {
      return scheduler.getCurrentlyExecutingJobs().size();
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }
}
