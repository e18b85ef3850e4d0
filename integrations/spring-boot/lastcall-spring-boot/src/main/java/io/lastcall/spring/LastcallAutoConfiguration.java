package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.micrometer.ShutdownMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryInitializer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Installs the graceful shutdown of the process and keeps it in step with the context: {@code
 * lastcall.*} properties are its settings, beans with {@code @OnShutdown} are its components, the
 * readiness state of the application follows ours and ours follows it, and the context is closed
 * after everything else in CLOSE_CONNECTIONS. {@code lastcall.enabled=false} switches it off. An
 * application's own bean {@link GracefulShutdown} is used in place of one that is installed here.
 */
@AutoConfiguration
public final class LastcallAutoConfiguration {
  private static final String OWN_NAMES = "lastcall";
  private static final String PROCESS = "lastcallProcessShutdown";
  private static final String SHUTDOWN = "lastcallGracefulShutdown";

  /** For Spring. */
  LastcallAutoConfiguration() {}

  /** Before all other singletons: a signal may come while they are made. */
  @Bean
  static BeanFactoryInitializer<ListableBeanFactory> lastcallInitializer(Environment environment) {
    SettingBinding.checkSwitches(environment);
    return beans -> {
      if (beans.containsBean(PROCESS)) {
        beans.getBean(PROCESS);
      }
    };
  }

  /** Where the process is the application's own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty(name = "lastcall.enabled", matchIfMissing = true)
  @Conditional(OnOwnServer.class)
  @EnableConfigurationProperties(LastcallProperties.class)
  static final class Installed {
    @Bean(PROCESS)
    ProcessShutdown lastcallProcessShutdown(
        ConfigurableEnvironment environment,
        ObjectProvider<GracefulShutdownBuilderCustomizer> customizers,
        ListableBeanFactory beans) {
      return ProcessShutdown.given(beans, SHUTDOWN, environment)
          .orElseGet(() -> ProcessShutdown.acquire(environment, customizers.orderedStream()));
    }

    /** Uninstalled with its {@link ProcessShutdown}, so without a destroy method. */
    @Bean(name = SHUTDOWN, destroyMethod = "")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    GracefulShutdown lastcallGracefulShutdown(ProcessShutdown process) {
      return process.shutdown();
    }

    @Bean
    Leftovers lastcallLeftovers() {
      return new Leftovers();
    }

    @Bean
    ContextBridge lastcallContextBridge(
        ProcessShutdown process, ConfigurableApplicationContext context, Leftovers leftovers) {
      return new ContextBridge(process, context, leftovers);
    }

    @Bean
    ShutdownExitCode lastcallExitCode(ProcessShutdown process) {
      return new ShutdownExitCode(process.shutdown());
    }

    @Bean
    UnknownServers lastcallUnknownServers(
        ProcessShutdown process, ConfigurableApplicationContext context) {
      return new UnknownServers(process, context);
    }

    /** Some are asked for by nothing, and would not be made. */
    @Bean
    static LazyInitializationExcludeFilter lastcallIsNotLazy() {
      return (name, definition, type) -> name.startsWith(OWN_NAMES);
    }

    /** For {@code /actuator/configprops}, of values that core alone can read. */
    @Bean
    static ConfigurationPropertiesBindHandlerAdvisor lastcallShownSettings() {
      return ShownSettings::new;
    }

    @Bean
    static ShutdownBeans lastcallShutdownBeans(
        ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
      return new ShutdownBeans(process, context);
    }

    /** Spring Boot binds them to every registry there is. */
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

    /** Actuator's endpoint, where it is exposed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static final class Actuator {
      @Bean
      @ConditionalOnAvailableEndpoint
      LastcallEndpoint lastcallEndpoint(GracefulShutdown shutdown) {
        return new LastcallEndpoint(shutdown);
      }

      @Bean
      HealthQuestions lastcallHealthQuestions(GracefulShutdown shutdown) {
        return new HealthQuestions(shutdown.probes());
      }
    }
  }

  /**
   * A WAR, whose process is its container's. Beans that ask for the shutdown get one that is off.
   */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty(name = "lastcall.enabled", matchIfMissing = true)
  @Conditional(InAContainer.class)
  static final class BacksOff {
    BacksOff() {
      LoggerFactory.getLogger(LastcallAutoConfiguration.class)
          .info(
              "Lastcall is off in a WAR, whose container ends the process: for Tomcat put"
                  + " io.lastcall.servlet.tomcat.LastcallListener into server.xml");
    }

    @Bean
    @ConditionalOnMissingBean
    GracefulShutdown lastcallGracefulShutdown() {
      return GracefulShutdown.disabled();
    }
  }

  /** The opposite of {@link OnOwnServer}. */
  static final class InAContainer extends NoneNestedConditions {
    InAContainer() {
      super(ConfigurationPhase.PARSE_CONFIGURATION);
    }

    @Conditional(OnOwnServer.class)
    static final class OwnServer {}
  }
}
