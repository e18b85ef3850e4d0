package io.lastcall.spring;

import io.lastcall.spring.taker.KnownTakers;
import io.lastcall.work.WorkSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Takes work that is no request into the shutdown: beans of type {@link WorkSource} and the takers
 * of {@link KnownTakers} stop taking at the trigger, as {@code @Scheduled} tasks do; what they have
 * taken, and the tasks of executors, finish in DRAIN. {@code lastcall.work.enabled=false} switches
 * it off.
 */
@AutoConfiguration(after = LastcallAutoConfiguration.class)
@ConditionalOnBean(ProcessShutdown.class)
@ConditionalOnBooleanProperty(name = "lastcall.work.enabled", matchIfMissing = true)
@Import(KnownTakers.class)
public final class LastcallWorkAutoConfiguration {

  /** For Spring. */
  LastcallWorkAutoConfiguration() {}

  @Bean
  static ExecutorBeans lastcallExecutorBeans(
      ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    return new ExecutorBeans(process, context);
  }

  @Bean
  ScheduledRuns lastcallScheduledRuns(ProcessShutdown process, ListableBeanFactory beans) {
    return new ScheduledRuns(process, beans);
  }
}
