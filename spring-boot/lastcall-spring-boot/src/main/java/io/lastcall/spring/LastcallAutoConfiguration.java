package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.micrometer.ShutdownMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.BeanFactoryInitializer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Installs the graceful shutdown of the process and keeps it in step with the context: {@code
 * lastcall.*} properties are its settings, beans with {@code @OnShutdown} are its components, the
 * readiness state of the application follows ours and ours follows it, and the context is closed
 * behind everything else in CLOSE_CONNECTIONS. {@code lastcall.enabled=false} switches it off.
 */
@AutoConfiguration
@ConditionalOnProperty(name = "lastcall.enabled", matchIfMissing = true)
public final class LastcallAutoConfiguration {

  private static final String PROCESS = "lastcallProcessShutdown";

  /** For Spring. */
  LastcallAutoConfiguration() {}

  /** Before all other singletons: a signal may come while they are made. */
  @Bean
  static BeanFactoryInitializer<ListableBeanFactory> lastcallInitializer() {
    return beans -> beans.getBean(PROCESS);
  }

  @Bean(PROCESS)
  ProcessShutdown lastcallProcessShutdown(ConfigurableEnvironment environment) {
    return ProcessShutdown.acquire(environment);
  }

  /** Given back with its {@link ProcessShutdown}, so not destroyed by itself. */
  @Bean(destroyMethod = "")
  GracefulShutdown lastcallGracefulShutdown(ProcessShutdown process) {
    return process.shutdown();
  }

  @Bean
  ContextBridge lastcallContextBridge(
      ProcessShutdown process, ConfigurableApplicationContext context) {
    return new ContextBridge(process, context);
  }

  @Bean
  static ClosedOnce lastcallClosedOnce(ConfigurableApplicationContext context) {
    return new ClosedOnce(context);
  }

  @Bean
  static ShutdownBeans lastcallShutdownBeans(
      ObjectProvider<ProcessShutdown> process,
      ConfigurableApplicationContext context,
      ClosedOnce closedOnce) {
    return new ShutdownBeans(process, context, closedOnce);
  }

  /** Spring Boot binds them to every registry there is; not where the application has its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnMissingBean(ShutdownMetrics.class)
  static final class Metrics {
    @Bean
    ShutdownMetrics lastcallShutdownMetrics(ProcessShutdown process) {
      ShutdownMetrics metrics = new ShutdownMetrics(process.shutdown()).closeAtEnd();
      process.atRelease(metrics::unbind);
      return metrics;
    }

    @Bean
    static LateRegistries lastcallLateRegistries(
        ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
      return new LateRegistries(process, context);
    }
  }
}
