package io.lastcall.spring;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Has every HikariCP pool that is a singleton bean close its idle connections while the process
 * leaves. {@code spring.autoconfigure.exclude} switches it off.
 */
@AutoConfiguration(after = LastcallAutoConfiguration.class)
@ConditionalOnBean(ProcessShutdown.class)
@ConditionalOnClass(HikariDataSource.class)
public final class LastcallHikariAutoConfiguration {

  /** For Spring. */
  LastcallHikariAutoConfiguration() {}

  @Bean
  static BeanPostProcessor lastcallHikariPools(
      ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    return new PoolBeans(process, context);
  }

  /**
   * Before a bean is initialised: afterwards it may be within another's data source, or proxied.
   */
  private record PoolBeans(
      ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context)
      implements BeanPostProcessor {
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
      if (bean instanceof HikariDataSource source
          && new BeanOrigin(context.getBeanFactory(), name)
              .isApplicationSingleton(bean.getClass())) {
        process.getObject().pool(name, new HikariConnections(source));
      }
      return bean;
    }
  }
}
