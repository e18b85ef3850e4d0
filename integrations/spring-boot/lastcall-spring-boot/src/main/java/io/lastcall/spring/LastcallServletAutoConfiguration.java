package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.SessionCounter;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.websocket.Session;
import java.util.EnumSet;
import java.util.Objects;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.server.Server;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Puts the servlet adapter in place: the filter in front of everything, which answers the probes
 * too, and, on embedded Tomcat or Jetty, the connector that drains without loss.
 */
@AutoConfiguration(after = LastcallAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(ProcessShutdown.class)
public final class LastcallServletAutoConfiguration {
  /** Where there is this bean, requests are counted. */
  static final String FILTER = "lastcallFilterRegistration";

  /** For Spring. */
  LastcallServletAutoConfiguration() {}

  @Bean
  ServletServers lastcallServletServers(ProcessShutdown process) {
    return new ServletServers(process);
  }

  /** In front of all others: those of the highest precedence are merely ordered. */
  private static final class First extends FilterRegistrationBean<Filter>
      implements PriorityOrdered {}

  @Bean(FILTER)
  @ConditionalOnMissingBean(name = FILTER)
  FilterRegistrationBean<Filter> lastcallFilterRegistration(
      ServletServers servers, ObjectProvider<HealthPaths> health) {
    First registration = new First();
    HealthPaths paths = health.getIfAvailable();
    registration.setFilter(
        paths == null ? servers.filter() : new HealthExemption(servers.filter(), paths));
    registration.setName("lastcall");
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
    registration.setAsyncSupported(true);
    return registration;
  }

  /**
   * The filter answers them, but Tomcat runs no filter for a path that no servlet has, as where
   * {@code spring.mvc.servlet.path} is set.
   */
  @Bean
  ServletRegistrationBean<HttpServlet> lastcallProbePaths(GracefulShutdown shutdown) {
    ServletRegistrationBean<HttpServlet> registration =
        new ServletRegistrationBean<>(new Unreached(), shutdown.probes().urlPatterns());
    registration.setName("lastcall-probes");
    registration.setAsyncSupported(true);
    return registration;
  }

  /** HTTP sessions hold a release that is out of service. */
  @Bean
  ServletListenerRegistrationBean<SessionCounter> lastcallSessions(GracefulShutdown shutdown) {
    return new ServletListenerRegistrationBean<>(new SessionCounter(shutdown.sessions("http")));
  }

  private static final class Unreached extends HttpServlet {
    private static final long serialVersionUID = 1L;
  }

  /** Actuator's health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({PathMappedEndpoints.class, ManagementPortType.class})
  static final class WithActuator {
    @Bean
    HealthPaths lastcallHealthPaths(
        Environment environment, ObjectProvider<PathMappedEndpoints> endpoints) {
      return new HealthPaths(environment, endpoints);
    }
  }

  /** For endpoints, not Spring's, to say which WebSocket sessions they have, on any server. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Session.class)
  static final class WithWebSockets {
    @Bean
    @ConditionalOnMissingBean
    WebSocketSessions lastcallWebSocketSessions(GracefulShutdown shutdown) {
      return new WebSocketSessions(shutdown.connections());
    }
  }

  /** Spring MVC's event streams. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({WebMvcConfigurer.class, SseEmitter.class})
  static final class WithMvc {
    @Bean
    WebMvcConfigurer lastcallMvcConfigurer() {
      return new WebMvcConfigurer() {
        @Override
        public void addInterceptors(InterceptorRegistry registry) {
          registry.addInterceptor(new EventStreamMarker());
        }
      };
    }

    @Bean
    SmartInitializingSingleton lastcallEventStreams(
        ObjectProvider<RequestMappingHandlerAdapter> adapters) {
      return () ->
          adapters.forEach(
              each ->
                  each.setReturnValueHandlers(
                      EventStreamMarker.marking(
                          Objects.requireNonNull(each.getReturnValueHandlers()))));
    }
  }

  /** Spring's own WebSockets, STOMP too: their sessions are registered as they open. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({WebSocketHandler.class, Session.class})
  static final class WithSpringWebSockets {
    @Bean
    static WebSocketRegistrar lastcallWebSocketRegistrar(
        ObjectProvider<WebSocketSessions> sessions, ObjectProvider<ProcessShutdown> process) {
      return new WebSocketRegistrar(sessions, process);
    }
  }

  /** Embedded Tomcat, for every Spring Boot. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Tomcat.class)
  static final class WithTomcat {
    @Bean
    TomcatDrain lastcallTomcatDrain(ServletServers servers) {
      return new TomcatDrain(servers);
    }
  }

  /** Embedded Tomcat in Spring Boot 4, whose connector must be ours to be drained. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Tomcat.class, TomcatServletWebServerFactory.class})
  static final class OnTomcat {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> lastcallTomcatCustomizer(
        TomcatDrain drain) {
      return factory -> {
        factory.setProtocol(LastcallProtocol.class.getName());
        if (TomcatDrain.takesHttp2From(factory)) {
          factory.addProtocolHandlerCustomizers(TomcatDrain::speakHttp2);
        }
        factory.addConnectorCustomizers(drain::follow);
      };
    }
  }

  /** Embedded Jetty, for every Spring Boot. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Server.class)
  static final class WithJetty {
    @Bean
    JettyDrain lastcallJettyDrain(ServletServers servers) {
      return new JettyDrain(servers);
    }
  }

  /** Embedded Jetty in Spring Boot 4, the same. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Server.class, JettyServletWebServerFactory.class})
  static final class OnJetty {
    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> lastcallJettyCustomizer(
        JettyDrain drain) {
      return factory ->
          factory.setServerCustomizers(
              drain.<JettyServerCustomizer>around(
                  factory.getServerCustomizers(), task -> task::accept));
    }
  }
}
