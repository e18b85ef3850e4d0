package io.lastcall.spring.taker;

import com.github.kagkarlsson.scheduler.Scheduler;
import io.lastcall.work.WorkSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * db-scheduler. Its stop lets no execution begin, waits for those that run, and stops heartbeats
 * last. Interrupted, it interrupts the executions, whose failure handlers make them due again:
 * otherwise they belong to this process until it has missed several heartbeats.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Scheduler.class)
final class DbSchedulerTaker {
  @Bean
  static TakerBeans lastcallDbScheduler(ObjectProvider<Takers> takers) {
    return new TakerBeans(
        takers,
        bean ->
            bean instanceof Scheduler scheduler
                ? WorkSource.ofBlockingStop(scheduler::stop)
                : null);
  }
}
