package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * JobRunr. Its stop begins no job, and waits for those that run, 10 s by default; then it
 * interrupts them, and another process runs them anew. DRAIN says how long is waited.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(BackgroundJobServer.class)
final class JobRunrTaker {
  private static final String WAIT =
      "jobrunr.background-job-server.interrupt-jobs-await-duration-on-stop";

  @Bean
  static TakerBeans lastcallJobRunr(ObjectProvider<Takers> takers) {
    return new TakerBeans(
        takers,
        bean ->
            bean instanceof BackgroundJobServer server
                ? WorkSource.ofBlockingStop(server::stop)
                : null);
  }

  @Bean
  static BeanPostProcessor lastcallJobRunrWait(
      ObjectProvider<Takers> takers, Environment environment) {
    return new Wait(takers, environment);
  }

  /** Before the server is made of it; the application's own setting stands. */
  private record Wait(ObjectProvider<Takers> takers, Environment environment)
      implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof BackgroundJobServerConfiguration configuration
          && !environment.containsProperty(WAIT)) {
        configuration.andInterruptJobsAwaitDurationOnStopBackgroundJobServer(
            takers.getObject().shutdown().plan().gracePeriod());
      }
      return bean;
    }
  }
}
