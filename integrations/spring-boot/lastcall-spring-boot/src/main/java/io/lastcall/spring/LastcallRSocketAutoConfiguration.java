package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.rsocket.transport.netty.server.TcpServerTransport;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.rsocket.context.RSocketServerInitializedEvent;
import org.springframework.boot.rsocket.server.RSocketServer;
import org.springframework.boot.rsocket.server.RSocketServerCustomizer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.core.publisher.Flux;

/**
 * Drains Spring Boot's RSocket server, on TCP and on WebSocket, by the coarse role. One that is
 * mapped to a path of WebFlux is drained as that server is; its calls are counted here too.
 */
@AutoConfiguration(after = LastcallAutoConfiguration.class)
@ConditionalOnClass({
  RSocketServerCustomizer.class,
  TcpServerTransport.class,
  Flux.class,
  ReactorResourceFactory.class
})
@ConditionalOnBean(ProcessShutdown.class)
public final class LastcallRSocketAutoConfiguration {
  /** Where there is this bean, the server of Spring Boot is drained. */
  static final String DRAIN = "lastcallRSocketDrain";

  /** For Spring. */
  LastcallRSocketAutoConfiguration() {}

  @Bean(DRAIN)
  @ConditionalOnMissingBean
  RSocketDrain lastcallRSocketDrain(GracefulShutdown shutdown) {
    return new RSocketDrain(shutdown.gate(), shutdown.connections());
  }

  /** The last of all: its interceptor is then the first to see a call. */
  @Bean
  @Order
  RSocketServerCustomizer lastcallRSocketCustomizer(RSocketDrain drain) {
    return server -> server.interceptors(drain::intercept);
  }

  /** Spring's own stop does the first half of the role: it closes the listener. */
  @Bean
  ApplicationListener<RSocketServerInitializedEvent> lastcallRSocketServers(
      ProcessShutdown process, RSocketDrain drain) {
    Set<RSocketServer> known = ConcurrentHashMap.newKeySet(); // one may start anew
    return event -> {
      RSocketServer server = event.getServer();
      InetSocketAddress address = server.address();
      if (known.add(server) && address != null) {
        process.server(drain.server("rsocket:" + address.getPort(), server::stop));
      }
    };
  }

  /** As with WebFlux. */
  @Bean
  @ConditionalOnMissingBean
  static ReactorQuietPeriod lastcallReactorQuietPeriod(ConfigurableApplicationContext context) {
    return new ReactorQuietPeriod(context);
  }
}
