package io.lastcall.spring;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;

/** By default 2 s, for tasks that come while the event loops end: after a drain none do. */
final class ReactorQuietPeriod implements BeanPostProcessor {
  private static final Logger log = LoggerFactory.getLogger(ReactorQuietPeriod.class);
  private static final String SETTING = "spring.reactor.netty.shutdown-quiet-period";

  private final ConfigurableApplicationContext context;

  ReactorQuietPeriod(ConfigurableApplicationContext context) {
    this.context = context;
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (bean instanceof ReactorResourceFactory resources
        && new BeanOrigin(context.getBeanFactory(), name).isMadeBySpringBoot()
        && !context.getEnvironment().containsProperty(SETTING)) {
      resources.setShutdownQuietPeriod(Duration.ZERO);
      log.info(
          "Reactor Netty's quiet period is 0 s: no task comes after a drain. Once set, {} stands",
          SETTING);
    }
    return bean;
  }
}
