package io.lastcall.spring;

import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.lastcall.grpc.CoarseGrpc;
import io.lastcall.grpc.GrpcShutdown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

/**
 * Drains the gRPC servers of Spring Boot 4.1, with {@code lastcall-grpc} on the class path: exactly
 * on grpc-netty and a TCP port, else by the coarse form.
 */
@AutoConfiguration(after = LastcallAutoConfiguration.class)
@ConditionalOnClass(GrpcServerStartedEvent.class)
@ConditionalOnBean(ProcessShutdown.class)
public final class LastcallGrpcAutoConfiguration {
  private static final Logger log = LoggerFactory.getLogger(LastcallGrpcAutoConfiguration.class);

  /** For Spring. */
  LastcallGrpcAutoConfiguration() {}

  /** Says so where a server is not drained. */
  @Bean
  static ApplicationListener<GrpcServerStartedEvent> lastcallGrpcWarning(
      ProcessShutdown process, ObjectProvider<GrpcServers<?>> drained) {
    return event -> {
      GrpcServers<?> servers = drained.getIfAvailable();
      if ((servers == null || !servers.drains(event.getServer()))
          && !(event.getSource().getFactory() instanceof InProcessGrpcServerFactory)) {
        log.warn(
            "The gRPC server on {} is not drained: its calls are not waited for before the context"
                + " closes. Put lastcall-grpc on the class path",
            event.getAddress());
        process.shutdown().assumeRouted();
      }
    };
  }

  /** Whatever the transport. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(CoarseGrpc.class)
  static final class Drained {
    @Bean
    @ConditionalOnMissingBean
    CoarseGrpc lastcallCoarseGrpc(ProcessShutdown process) {
      return CoarseGrpc.of(process.shutdown());
    }

    @Bean
    GrpcServers<?> lastcallGrpcServers(
        ProcessShutdown process,
        CoarseGrpc coarse,
        ObjectProvider<GrpcServers.Exact> exact,
        ObjectProvider<HealthStatusManager> health) {
      return new GrpcServers<>(process.shutdown(), coarse, exact, health);
    }
  }

  /** The server on Netty; one on a domain socket would need other event loops than ours. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({GrpcShutdown.class, NettyServerBuilder.class})
  @Conditional(OnPort.class)
  static final class OnNetty {
    @Bean
    @ConditionalOnMissingBean
    GrpcShutdown lastcallGrpcShutdown(ProcessShutdown process) {
      return GrpcShutdown.of(process.shutdown());
    }

    @Bean
    GrpcServers.Exact lastcallGrpcOnNetty(GrpcShutdown standard) {
      return (builder, answersHealth) -> {
        if (!(builder instanceof NettyServerBuilder netty)) {
          return null;
        }
        GrpcShutdown grpc = answersHealth ? standard : standard.withoutHealthService();
        GrpcShutdown.Prepared prepared = grpc.prepare(netty);
        return new GrpcServers.Role(prepared::started, prepared::close);
      };
    }
  }

  /** Unless it listens on a domain socket. */
  static final class OnPort extends NoneNestedConditions {
    OnPort() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty("spring.grpc.server.netty.domain-socket-path")
    static final class OnDomainSocket {}
  }
}
