package io.lastcall.spring;

import io.lastcall.netty.NettyDrain;
import io.lastcall.netty.reactor.ReactorDrain;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.server.WebFilter;

/** Puts the Netty adapter in place where WebFlux runs on Reactor Netty. */
@AutoConfiguration(
    after = LastcallAutoConfiguration.class,
    afterName =
        "org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(ProcessShutdown.class)
public final class LastcallReactiveAutoConfiguration {
  /** Where there is this bean, requests are counted. */
  static final String DRAIN = "lastcallReactorDrain";

  private static final Logger log =
      LoggerFactory.getLogger(LastcallReactiveAutoConfiguration.class);

  /** For Spring. */
  LastcallReactiveAutoConfiguration() {}

  /** Says so where there is another server, or no adapter. */
  @Bean
  static SmartInitializingSingleton lastcallReactiveWarning(BeanFactory beans) {
    return () -> {
      if (!beans.containsBean(DRAIN)) {
        log.warn(
            "No server can be drained here: requests in flight are not waited for before the"
                + " context closes. Supported with WebFlux is Reactor Netty with Spring Boot 4 and"
                + " lastcall-netty on the class path");
      }
    };
  }

  /** Reactor Netty in Spring Boot 4, with {@code lastcall-netty} on the class path. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({NettyReactiveWebServerFactory.class, ReactorDrain.class})
  @ConditionalOnBean(NettyReactiveWebServerFactory.class)
  static final class OnReactorNetty {
    @Bean(DRAIN)
    @ConditionalOnMissingBean
    ReactorDrain lastcallReactorDrain(ProcessShutdown process) {
      return new ReactorDrain(NettyDrain.of(process.shutdown()), process::server);
    }

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> lastcallReactorCustomizer(
        ReactorDrain drain, ObjectProvider<ReactorResourceFactory> resources) {
      return factory ->
          factory.addServerCustomizers(
              server -> {
                ReactorResourceFactory known = resources.getIfAvailable();
                // Spring Boot sets them after the customizers; the drain needs the event loops
                // here.
                return drain.drained(
                    known == null ? server : server.runOn(known.getLoopResources()));
              });
    }

    @Bean
    WebFilter lastcallEventStreamHeads(ProcessShutdown process) {
      EventStreamHeads heads = new EventStreamHeads();
      process.atRelease(process.shutdown().listener(heads)::remove);
      return heads;
    }

    @Bean
    @ConditionalOnMissingBean
    static ReactorQuietPeriod lastcallReactorQuietPeriod(ConfigurableApplicationContext context) {
      return new ReactorQuietPeriod(context);
    }
  }
}
