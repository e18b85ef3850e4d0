package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The application's own: beans that are a source, beans that are named, and those that are not. */
@Configuration(proxyBeanMethods = false)
final class OwnTakers {
  @Bean
  static TakerBeans lastcallWorkSources(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, bean -> bean instanceof WorkSource own ? own : null);
  }

  @Bean
  StopFirst lastcallStopFirst(Takers takers, ConfigurableApplicationContext context) {
    return new StopFirst(takers, context);
  }

  @Bean
  UnknownTakers lastcallUnknownTakers(Takers takers, ConfigurableApplicationContext context) {
    return new UnknownTakers(takers, context);
  }
}
