package io.lastcall.spring.boot3;

import io.lastcall.spring.JettyDrain;
import io.lastcall.spring.LastcallServletAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.embedded.jetty.JettyServerCustomizer;
import org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/** Gives embedded Jetty 12.0, as Spring Boot 3.5 makes it, the connector that drains. */
@AutoConfiguration(after = LastcallServletAutoConfiguration.class)
@ConditionalOnClass(JettyServletWebServerFactory.class)
@ConditionalOnBean(JettyDrain.class)
public final class LastcallJetty120AutoConfiguration {

  /** For Spring. */
  LastcallJetty120AutoConfiguration() {}

  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> lastcallJetty120Customizer(
      JettyDrain drain) {
    return factory ->
        factory.setServerCustomizers(
            drain.<JettyServerCustomizer>around(
                factory.getServerCustomizers(), task -> task::accept));
  }
}
