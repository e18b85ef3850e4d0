package io.lastcall.spring.boot3;

import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.spring.LastcallServletAutoConfiguration;
import io.lastcall.spring.TomcatDrain;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/** Gives embedded Tomcat 10.1, as Spring Boot 3.5 makes it, the connector that drains. */
@AutoConfiguration(after = LastcallServletAutoConfiguration.class)
@ConditionalOnClass(TomcatServletWebServerFactory.class)
@ConditionalOnBean(TomcatDrain.class)
public final class LastcallTomcat10AutoConfiguration {

  /** For Spring. */
  LastcallTomcat10AutoConfiguration() {}

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> lastcallTomcat10Customizer(
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
