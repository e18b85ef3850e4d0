package io.lastcall.spring;

import jakarta.servlet.Filter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/**
 * Actuator on a port of its own, whose server is no part of the shutdown: its requests are work, so
 * that DRAIN waits for them.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnBean(ProcessShutdown.class)
final class LastcallManagementConfiguration {
  @Bean
  ManagementRequests lastcallManagementRequests(
      ProcessShutdown process, ObjectProvider<PathMappedEndpoints> endpoints) {
    return new ManagementRequests(process.shutdown().work("management"), endpoints);
  }

  /** On a servlet container. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static final class OnServlets {
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    Filter lastcallManagementFilter(ManagementRequests requests) {
      return new ManagementFilter(requests);
    }
  }

  /** On WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static final class OnWebFlux {
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter lastcallManagementFilter(ManagementRequests requests) {
      return (exchange, chain) ->
          Mono.defer(
              () -> {
                String path = exchange.getRequest().getPath().value();
                Runnable end = requests.begin(exchange.getRequest().getMethod().name(), path);
                return chain.filter(exchange).doFinally(signal -> end.run());
              });
    }
  }
}
