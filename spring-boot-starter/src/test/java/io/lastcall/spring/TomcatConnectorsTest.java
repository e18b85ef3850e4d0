package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.spring.service.TestApplication;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Connectors that the application adds beside Spring Boot's. */
@Timeout(180)
class TomcatConnectorsTest {
  @Test
  void secondConnector_thatIsNotDrained_isNamedOnce() {
    List<String> warnings = warnings(Plain.class);
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).startsWith("Connector[\"http-nio-auto-"), () -> warnings.get(0));
    assertTrue(warnings.get(0).contains("\"] is not drained"), () -> warnings.get(0));
  }

  @Test
  void secondConnector_thatIsDrained_isNotSaid() {
    assertEquals(List.of(), warnings(Drained.class));
  }

  private static List<String> warnings(Class<?> source) {
    // With a context below it, of whose start it hears too.
    return Warnings.of(
        TomcatDrain.class,
        new SpringApplication(TestApplication.class, source),
        "--server.port=0",
        "--management.server.port=0",
        "--logging.level.root=warn");
  }

  @Configuration(proxyBeanMethods = false)
  static class Plain {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> second() {
      return factory -> factory.addAdditionalConnectors(onAnyPort(new Connector()));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Drained {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> second(TomcatDrain drain) {
      return factory -> {
        Connector connector = onAnyPort(new Connector(new LastcallProtocol()));
        drain.follow(connector);
        factory.addAdditionalConnectors(connector);
      };
    }
  }

  private static Connector onAnyPort(Connector connector) {
    connector.setPort(0);
    return connector;
  }
}
